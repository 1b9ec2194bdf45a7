/** The texts of the demo clinic. Its tables are written in English; a clinic that speaks Spanish has the other column. */
import type { Language } from '#domain/language.ts';
import { starterTexts } from '../modules/stock/service.ts';

/** Pairs the texts of two groups with the same keys. */
const pairs = (from: object, to: object): [string, string][] =>
  Object.entries(from).flatMap(([key, text]: [string, string | object]) => {
    const other = (to as Record<string, string | object>)[key]!;
    return typeof text === 'string' ? [[text, other as string]] : pairs(text, other as object);
  });

const spanish: Readonly<Record<string, string>> = {
  ...Object.fromEntries(pairs(starterTexts('en'), starterTexts('sp'))),
  // Categories
  'Clinical supplies': 'Material clínico',
  'What the surgery uses up': 'Lo que se gasta en los gabinetes',
  // Supplies
  'Nitrile gloves M': 'Guantes de nitrilo M',
  'Nitrile gloves S': 'Guantes de nitrilo S',
  'Surgical masks': 'Mascarillas quirúrgicas',
  'Articaine 4 % cartridges': 'Articaína 4 %, carpules',
  'Dental needles 30G': 'Agujas dentales 30G',
  'Composite syringe A2': 'Composite A2, jeringa',
  'Composite syringe A3': 'Composite A3, jeringa',
  'Bonding agent': 'Adhesivo dental',
  'Etching gel': 'Gel grabador',
  'Endodontic files, assorted': 'Limas de endodoncia, surtido',
  'Cotton rolls': 'Rollos de algodón',
  'Saliva ejectors': 'Eyectores de saliva',
  'Sterilisation pouches': 'Bolsas de esterilización',
  'Sutures 4-0': 'Suturas 4-0',
  Alginate: 'Alginato',
  // Products
  'Home care kit': 'Kit de higiene en casa',
  'Brush, paste and floss': 'Cepillo, pasta e hilo',
  'After-surgery kit': 'Kit postoperatorio',
  'Gel, soft brush and mouthwash': 'Gel, cepillo suave y colutorio',
  'Brace care kit': 'Kit de ortodoncia',
  'Wax and interdental brushes': 'Cera y cepillos interdentales',
  'Filling with anaesthesia': 'Empaste con anestesia',
  'One surface, with local anaesthetic': 'Una cara, con anestesia local',
  // Rooms and devices
  'Ground floor': 'Planta baja',
  'First floor': 'Primera planta',
  Surgery: 'Quirófano',
  'X-ray': 'Radiología',
  'Front desk': 'Recepción',
  // Settings
  'Thank you for choosing our dental practice!': '¡Gracias por confiar en nuestra clínica!',
  'Visit again soon!': '¡Hasta pronto!',
  'Healthcare services are exempt from VAT (art. 20.1.5 of Law 37/1992).':
    'Servicios sanitarios exentos de IVA (art. 20.Uno.5.º de la Ley 37/1992).',
  // Treatments
  Rescheduled: 'Cita cambiada',
  Student: 'Estudiante',
  'Family of the staff': 'Familiar del personal',
  'Second visit this month': 'Segunda visita del mes',
  Goodwill: 'Atención comercial',
  'The aligner did not fit': 'El alineador no ajustaba',
  'Paid by the insurance after all': 'Al final lo ha pagado el seguro',
  'Treatment stopped by the patient': 'El paciente ha dejado el tratamiento',
  // Stock
  'Opening stock': 'Existencias iniciales',
  'Used in the surgery': 'Gastado en los gabinetes',
  // Drawer
  'Coins from the bank': 'Cambio del banco',
  'To the bank': 'Ingreso en el banco',
  'Counted twice.': 'Contado dos veces.',
  // Expenses
  'Rent of the practice': 'Alquiler de la clínica',
  'Ground floor, Calle de la Alameda 18': 'Planta baja, calle de la Alameda 18',
  Electricity: 'Electricidad',
  'Bill of the two months past': 'Factura de los dos últimos meses',
  'Taxi to the laboratory': 'Taxi al laboratorio',
  'Urgent crown for a fitting at noon': 'Corona urgente para una prueba a mediodía',
  'Autoclave service': 'Revisión del autoclave',
  'Yearly inspection with new door seal': 'Revisión anual con junta nueva',
  'The next one is due in twelve months.': 'La próxima toca dentro de doce meses.',
  'Coffee and water': 'Café y agua',
  'For the waiting room and the staff': 'Para la sala de espera y el personal',
  'Printed leaflets': 'Folletos impresos',
  '500 leaflets on implants, in colour': '500 folletos de implantes, en color',
  'Second coffee machine': 'Segunda cafetera',
  'Espresso machine for the break room': 'Cafetera exprés para el office',
  'The present machine still works. Let us look at it again in autumn.':
    'La actual todavía funciona. Lo vemos de nuevo en otoño.',
  'Paper and toner': 'Papel y tóner',
  'Invoice rolls, A4 paper and a black toner': 'Rollos de factura, papel A4 y un tóner negro',
  Water: 'Agua',
  'Quarterly bill': 'Factura trimestral',
  'Compressor repair': 'Reparación del compresor',
  'Pressure switch replaced on site': 'Presostato cambiado en la clínica',
  'Courier to the laboratory': 'Mensajería al laboratorio',
  'Impressions, ten journeys in the month': 'Impresiones, diez envíos en el mes',
  'Curing light': 'Lámpara de polimerizar',
  'Replacement for the one in the second surgery': 'Sustituye a la del segundo gabinete',
  'Telephone and internet': 'Teléfono e internet',
  'Fibre line and two mobile telephones': 'Fibra y dos móviles',
  'Locum hygienist': 'Higienista de sustitución',
  'Two days while the hygienist was ill': 'Dos días por baja de la higienista',
  'Advertisement in the local paper': 'Anuncio en el periódico local',
  'Quarter page, two weekends': 'Un cuarto de página, dos fines de semana',
  'Nobody told us that they came because of the last one.': 'Nadie nos dijo que viniera por el anterior.',
  'Gas for the heating': 'Gas de la calefacción',
  'Monthly bill': 'Factura mensual',
  Laundry: 'Lavandería',
  'Tunics and towels, weekly collection': 'Batas y toallas, recogida semanal',
  Plumber: 'Fontanero',
  'Blocked drain of the spittoon': 'Desagüe atascado de la escupidera',
  'Cleaning materials': 'Productos de limpieza',
  'Surface disinfectant and mop heads': 'Desinfectante de superficies y fregonas',
  'Web page': 'Página web',
  'Hosting and the booking form for a year': 'Alojamiento y formulario de citas de un año',
  'First-aid course': 'Curso de primeros auxilios',
  'Four places for the front desk and assistants': 'Cuatro plazas para recepción y auxiliares',
  'Parking at the congress': 'Aparcamiento del congreso',
  'Two days, receipts at the front desk': 'Dos días, recibos en recepción',
  'Handpiece repair': 'Reparación de la pieza de mano',
  'Turbine bearings, sent to the manufacturer': 'Rodamientos de la turbina, enviada al fabricante',
  Magazines: 'Revistas',
  'Subscriptions for the waiting room': 'Suscripciones para la sala de espera',
  'Waste collection': 'Recogida de residuos',
  'Sharps containers and amalgam, monthly': 'Contenedores de punzantes y amalgama, mensual',
};

/** Says a text of the demo in the clinic's language. */
export type Say = (english: string) => string;

/** @returns a function that throws for a text without translation, so that no clinic is half translated */
export function sayIn(language: Language): Say {
  if (language === 'en') return (text) => text;
  return (text) => {
    // Numbers of rooms and the like need none.
    if (/^\d*$/.test(text)) return text;
    const said = spanish[text];
    if (said === undefined) throw new Error(`The demo has no Spanish for “${text}”.`);
    return said;
  };
}
