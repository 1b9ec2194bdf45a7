/** Checks the form of messages to the tax agency much faster than xmllint does, which reads only a sample of them. */
import { maxRecordsPerCall } from '#server/modules/fiscal/xml.ts';

/** Returns a pattern of elements in their order; those that end with `?` may be missing. */
const inOrder = (names: string): RegExp =>
  new RegExp(
    `^${names
      .split(' ')
      .map((name) => {
        const plain = name.replace('?', '');
        const element = `<sf:${plain}>(?:(?!<sf:${plain}>)[^])*?</sf:${plain}>`;
        return name === plain ? element : `(?:${element})?`;
      })
      .join('')}$`,
  );

const tail = 'Encadenamiento SistemaInformatico FechaHoraHusoGenRegistro TipoHuella Huella';
const forms: Record<string, RegExp> = {
  Alta: inOrder(
    'IDVersion IDFactura NombreRazonEmisor TipoFactura TipoRectificativa? FacturasRectificadas? FacturasSustituidas? ' +
      `FechaOperacion? DescripcionOperacion Destinatarios? Desglose CuotaTotal ImporteTotal ${tail}`,
  ),
  Anulacion: inOrder(`IDVersion IDFactura SinRegistroPrevio? RechazoPrevio? ${tail}`),
};

/** Returns what is wrong with the body of a call. */
export function formErrors(body: string): string[] {
  const records = [...body.matchAll(/<sf:Registro(Alta|Anulacion)>([^]*?)<\/sf:Registro\1>/g)];
  const errors = records.flatMap(([, kind, content]) =>
    forms[kind!]!.test(content!) ? [] : [`a record has another form: ${content}`],
  );
  if (!/<sf:ObligadoEmision><sf:NombreRazon>[^<]+<\/sf:NombreRazon><sf:NIF>[^<]{9}<\/sf:NIF>/.test(body))
    errors.push('the call names no taxpayer');
  if (records.length === 0 || records.length > maxRecordsPerCall) errors.push(`a call of ${records.length} records`);
  return errors;
}
