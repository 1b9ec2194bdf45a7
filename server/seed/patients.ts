/** The patients of the demo clinic. Two share a name, and some have no phone number. */
import type { PatientResource } from '#domain/patient/resources.ts';
import { nameWords } from '#domain/search-key.ts';
import { uuidV7 } from '#domain/uuid.ts';
import type { Sql } from '../db/sql.ts';
import { recordPatients } from '../modules/patients/service.ts';
import { SeededRandom } from './random.ts';

const known: readonly (readonly [name: string, phone?: string])[] = [
  ['Marta Gil', '+34 612 480 157'],
  ['Javier Ortega', '655 019 342'],
  ['Nuria Campos', '+34 634 771 208'],
  ['Andrés Molina', '600 254 981'],
  ['Carmen Vidal', '+34 618 903 465'],
  ['Carmen Vidal', '691 336 720'],
  ['Pablo Serrano', '+34 627 145 890'],
  ['Irene Castro'],
  ['Hugo Prieto', '666 820 417'],
  ['Silvia Ramos', '+34 609 557 231'],
  ['Diego Fuentes', '645 098 316'],
  ['Rosa Delgado', '914 550 672'],
  ['Álvaro Peña', '+34 650 741 983'],
  ['Beatriz Soler', '+34 622 308 594'],
  ['Óscar Navarro', '637 462 105'],
  ['Laura Benítez', '+34 699 017 248'],
  ['Iván Cano'],
  ['Teresa Rubio', '915 226 830'],
  ['Marcos Aguilar', '+34 615 839 407'],
  ['Inés Quiroga', '678 194 053'],
  ['José Ángel Ibáñez', '+34 644 520 786'],
  ['Lucía Montero', '+34 603 918 472'],
  ['Ramón Herrera', '917 034 265'],
  ['Eva Santamaría', '632 675 190'],
  ['Sergio Valverde', '+34 658 243 017'],
  ['Pilar Domínguez', '911 482 609'],
  ['Daniel Estévez', '+34 620 759 348'],
  ['Aitana Blasco', '684 301 926'],
  ['Gonzalo Muñoz', '+34 611 067 534'],
  ['Elena Carrasco'],
  ['Francisco Nieto', '916 847 120'],
  ['Julia Pascual', '+34 649 218 375'],
  ['Tomás Echevarría', '+34 673 590 841'],
  ['Sofía Lozano', '605 432 718'],
  ['Adrián Cordero', '+34 636 985 204'],
  ['Mercedes Gallardo', '918 263 457'],
];

/** Where some of them live, by their place in the list: what a full invoice asks for. */
const recipients: readonly (readonly [place: number, taxId: string, address: string, postalCode: string])[] = [
  [0, '50123456Q', 'Calle de Fuencarral 112, 3º B', '28010'],
  [2, '02345678T', 'Calle de Ibiza 28, 1º A', '28009'],
  [7, 'X1234567L', 'Calle del Pez 9, bajo', '28004'],
  [12, '05432109S', 'Paseo de Extremadura 63, 5º C', '28011'],
];
/** Everybody but each third one gave an address. */
const hasEmail = (place: number): boolean => place % 3 !== 2;

const emailOf = (name: string): string => `${nameWords(name).join('.')}@example.com`;

/** Inserts the patients with the given creation time (milliseconds since 1970). */
export async function seedPatients(sql: Sql, clinicId: number, beganAtMs: number): Promise<PatientResource[]> {
  const random = new SeededRandom(19_570_612);
  const patients = known.map(([name, phone = '']) => ({ id: uuidV7(beganAtMs, random.bytes(10)), name, phone }));
  const at = { atMs: beganAtMs, deviceId: 0, deviceSeq: 0 };
  const addresses = patients.map(({ id, name }, place) => ({
    id,
    at,
    email: hasEmail(place) ? emailOf(name) : undefined,
  }));
  const invoiced = recipients.map(([place, tax_id, address, postal_code]) => {
    const { id, name } = patients[place]!;
    return { id, at, recipient: { name, tax_id, address, postal_code, city: 'Madrid' } };
  });
  await recordPatients(
    sql,
    clinicId,
    patients.map((patient) => ({ ...patient, at })),
    [...addresses, ...invoiced],
    at.atMs,
  );
  return patients;
}
