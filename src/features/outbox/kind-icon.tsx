import { Ban, Banknote, ClipboardPlus, ListPlus, PackageOpen, Undo2 } from 'lucide-react';
import type { OperationKind } from '../../../domain/protocol/operations.ts';

const icons = {
  'order.create': ClipboardPlus,
  'order.add_services': ListPlus,
  'order.cancel': Ban,
  'order.pay': Banknote,
  'order.refund': Undo2,
  'stock.adjust': PackageOpen,
};

export function KindIcon({ kind }: { kind: OperationKind }) {
  const Icon = icons[kind];
  return <Icon size={20} aria-hidden />;
}
