import { expect, test } from 'vitest';
import { systemAt } from '#server/modules/fiscal/transport.ts';

test.each([
  ['https://prewww1.aeat.es/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP', 'test'],
  ['https://prewww10.aeat.es/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP', 'test'],
  ['https://www1.agenciatributaria.gob.es/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP', 'production'],
  ['https://prewww1.aeat.es.example/', 'production'],
])('the records that are sent to %s arrive in the system for %s', (url, system) => {
  expect(systemAt(url)).toBe(system);
});
