import {
  Boxes,
  ChartColumn,
  ClipboardCheck,
  DoorOpen,
  Info,
  Landmark,
  LayoutDashboard,
  ReceiptText,
  ScrollText,
  Settings,
  ShoppingCart,
  Sprout,
  TabletSmartphone,
  Tags,
  Truck,
  UserRound,
  Users,
  Vault,
} from 'lucide-react';
import type { ComponentType } from 'react';
import type { SectionName } from '../sections.tsx';

/** Apart from the table of sections, so that the entry does not load the icons. */
export const sectionIcons: Record<SectionName, ComponentType<{ size?: number }>> = {
  dashboard: LayoutDashboard,
  counter: ShoppingCart,
  drawer: Vault,
  preparation: ClipboardCheck,
  stock: Boxes,
  services: Tags,
  purchasing: Truck,
  rooms: DoorOpen,
  staff: Users,
  expenses: ReceiptText,
  reports: ChartColumn,
  devices: TabletSmartphone,
  audit: ScrollText,
  welcome: Sprout,
  settings: Settings,
  fiscal: Landmark,
  about: Info,
  profile: UserRound,
};
