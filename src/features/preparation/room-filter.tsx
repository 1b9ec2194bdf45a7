import { Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { useRoomName } from '#src/formats/use-room-name.ts';
import { Chip } from '#src/ui/chip.tsx';

interface RoomFilterProps {
  rooms: readonly string[];
  /** Undefined for all rooms. */
  chosen: string | undefined;
  onChoose: (room: string | undefined) => void;
}

/** Shows one room of the board, for the tablet that hangs in it. */
export function RoomFilter({ rooms, chosen, onChoose }: RoomFilterProps) {
  const { t } = useTranslation();
  const roomName = useRoomName();
  return (
    <Flex
      as="fieldset"
      aria-label={t('preparation.rooms.label')}
      gap="2"
      minWidth="0"
      overflowX="auto"
      flexShrink={0}
      css={{ scrollbarWidth: 'none' }}
    >
      <Chip aria-pressed={chosen === undefined} onClick={() => onChoose(undefined)}>
        {t('preparation.rooms.all')}
      </Chip>
      {rooms.map((room) => (
        <Chip key={room} aria-pressed={chosen === room} onClick={() => onChoose(room)}>
          {roomName(room)}
        </Chip>
      ))}
    </Flex>
  );
}
