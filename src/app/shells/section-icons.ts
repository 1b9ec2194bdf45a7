import { Boxes, ReceiptText, Settings, ShoppingCart, Tags, UserRound, Users, Vault } from 'lucide-react';
import type { ComponentType } from 'react';
import type { SectionName } from '../sections.tsx';

/** Beside the table of sections, because the frame draws them and the first page does not need them. */
export const sectionIcons: Record<SectionName, ComponentType<{ size?: number }>> = {
  counter: ShoppingCart,
  drawer: Vault,
  stock: Boxes,
  categories: Tags,
  staff: Users,
  expenses: ReceiptText,
  settings: Settings,
  profile: UserRound,
};
