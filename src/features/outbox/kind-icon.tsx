import {
  ArrowLeftRight,
  Ban,
  Banknote,
  CircleAlert,
  CircleSlash,
  ClipboardPlus,
  ListPlus,
  LockKeyhole,
  LockKeyholeOpen,
  PackageOpen,
  Undo2,
} from 'lucide-react';
import type { OperationKind } from '../../../domain/protocol/operations.ts';

const icons = {
  'order.create': ClipboardPlus,
  'order.add_services': ListPlus,
  'order.cancel': Ban,
  'order.pay': Banknote,
  'order.refund': Undo2,
  'stock.adjust': PackageOpen,
  'drawer.open': LockKeyholeOpen,
  'drawer.move': ArrowLeftRight,
  'drawer.close': LockKeyhole,
  'operation.void': CircleSlash,
};

/** @param kind null for what is no single operation */
export function KindIcon({ kind }: { kind: OperationKind | null }) {
  const Icon = kind === null ? CircleAlert : icons[kind];
  return <Icon size={20} aria-hidden />;
}
