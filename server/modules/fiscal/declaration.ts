import type { DeclarationResource } from '#domain/fiscal/resources.ts';
import type { Config } from '#server/config.ts';
import { systemId, systemName } from './xml.ts';

/**
 * Returns the responsible declaration of the producer for this version (Order HAC/1177/2024, article 15). Only the producer
 * can sign it, so it is unsigned until the installation's configuration names the signed version, and again after an
 * update.
 */
export function declarationOf(producer: Config['producer'], version: string): DeclarationResource {
  const { name, taxId, address, place, date, signedVersion } = producer;
  const isComplete = [name, taxId, address, place, date].every((text) => text !== '');
  return {
    system: systemName,
    system_id: systemId,
    version,
    producer: { name, tax_id: taxId, address },
    place,
    date,
    signed_version: signedVersion,
    is_signed: isComplete && signedVersion === version,
  };
}
