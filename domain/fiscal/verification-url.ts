/** The address that the QR code of an invoice holds: the tax agency's page that says whether it has the invoice. */
import type { AgencySystem } from '../settings/settings.ts';
import type { IssueFields } from './record.ts';

const hosts: Record<AgencySystem, string> = { production: 'www2.agenciatributaria.gob.es', test: 'prewww2.aeat.es' };

/** @param system which of the agency's systems takes the records */
export function verificationUrl(
  { issuer, number, issued_on, total }: Pick<IssueFields, 'issuer' | 'number' | 'issued_on' | 'total'>,
  system: AgencySystem,
): string {
  const query = { nif: issuer, numserie: number, fecha: issued_on, importe: total };
  const parts = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `https://${hosts[system]}/wlpl/TIKE-CONT/ValidarQR?${parts.join('&')}`;
}
