import { describe, expect, test } from 'vitest';
import { readReply } from '#server/modules/fiscal/reply.ts';
import { schemaErrors } from '#tests/support/xmllint.ts';
import { quietTime } from '#tests/support/quiet-time.ts';

const schemas =
  'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws';

const line = (state: string, more = '', operation = 'Alta') =>
  `<r:RespuestaLinea><r:IDFactura><f:IDEmisorFactura>B65410011</f:IDEmisorFactura><f:NumSerieFactura>INV-A1-000001</f:NumSerieFactura><f:FechaExpedicionFactura>01-07-2027</f:FechaExpedicionFactura></r:IDFactura><r:Operacion><f:TipoOperacion>${operation}</f:TipoOperacion></r:Operacion><r:EstadoRegistro>${state}</r:EstadoRegistro>${more}</r:RespuestaLinea>`;

const reply = (lines: string, csv = '<r:CSV>A-1</r:CSV>') =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<r:RespuestaRegFactuSistemaFacturacion xmlns:r="${schemas}/RespuestaSuministro.xsd" xmlns:f="${schemas}/SuministroInformacion.xsd">${csv}<r:Cabecera><f:ObligadoEmision><f:NombreRazon>Clínica &amp; Cía</f:NombreRazon><f:NIF>B65410011</f:NIF></f:ObligadoEmision></r:Cabecera><r:TiempoEsperaEnvio>60</r:TiempoEsperaEnvio><r:EstadoEnvio>ParcialmenteCorrecto</r:EstadoEnvio>${lines}</r:RespuestaRegFactuSistemaFacturacion>`;

const enveloped = (xml: string) =>
  `<env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Header/><env:Body>${xml.replace(/^<\?.*\?>\n/, '')}</env:Body></env:Envelope>`;

describe('the reply of the tax agency', () => {
  const lines = [
    line('Correcto'),
    line(
      'AceptadoConErrores',
      '<r:CodigoErrorRegistro>2004</r:CodigoErrorRegistro><r:DescripcionErrorRegistro>Error &lt;1&gt; &#243;</r:DescripcionErrorRegistro>',
    ),
    line(
      'Incorrecto',
      '<r:CodigoErrorRegistro>3000</r:CodigoErrorRegistro><r:DescripcionErrorRegistro>Duplicado</r:DescripcionErrorRegistro><r:RegistroDuplicado><f:IdPeticionRegistroDuplicado>1</f:IdPeticionRegistroDuplicado><f:EstadoRegistroDuplicado>Correcta</f:EstadoRegistroDuplicado></r:RegistroDuplicado>',
    ),
    line('Correcto', '', 'Anulacion'),
  ].join('');

  test('says of each record what became of it, and how long to wait', async () => {
    expect(await schemaErrors('RespuestaSuministro.xsd', [reply(lines)])).toEqual([]);
    const document = { number: 'INV-A1-000001', issuedOn: '01-07-2027' };
    const plain = { ...document, type: 'issue', code: null, message: '', duplicateOf: null };
    expect(readReply(enveloped(reply(lines)))).toEqual({
      type: 'answer',
      csv: 'A-1',
      presentedAtMs: null,
      waitSeconds: 60,
      records: [
        { ...plain, state: 'accepted' },
        { ...plain, state: 'accepted_with_errors', code: 2004, message: 'Error <1> ó' },
        { ...plain, state: 'rejected', code: 3000, message: 'Duplicado', duplicateOf: 'accepted' },
        { ...plain, type: 'cancel', state: 'accepted' },
      ],
    });
  });

  test('may take nothing', () => {
    expect(readReply(reply(line('Incorrecto'), ''))).toMatchObject({ csv: null, records: [{ state: 'rejected' }] });
  });

  test('may be a fault of the call', () => {
    const fault = enveloped(
      '<env:Fault><faultcode>Client</faultcode><faultstring>Codigo[4102]</faultstring></env:Fault>',
    );
    expect(readReply(fault)).toEqual({ type: 'fault', message: 'Codigo[4102]' });
  });

  test.each([
    ['', 'nothing'],
    ['<html><body>Sign in</body>', 'a page that is not whole'],
    ['<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', 'a document type'],
    [reply(line('Quizás')), 'an unknown state'],
    [reply(lines).replace('<r:TiempoEsperaEnvio>60', '<r:TiempoEsperaEnvio>soon'), 'no wait'],
    [reply(lines).slice(0, -40), 'a reply that is cut off'],
    [`${reply(lines)}<`, 'a reply with more behind it'],
    [reply(lines).replace('</r:TiempoEsperaEnvio>', '</r:Other>'), 'an element with the end of another'],
  ])('is unreadable otherwise: %#', (xml, _what) => {
    expect(readReply(xml)).toEqual({ type: 'unreadable' });
  });

  test('may be long and no XML, and is read at once', async () => {
    const read = () => {
      for (const start of ['<', '</', '<a ', '<a/', '<!--', '<?', '<![CDATA['])
        expect(readReply(`${start}${'a'.repeat(200_000)}`)).toEqual({ type: 'unreadable' });
    };
    expect(await quietTime(read)).toBeLessThan(1000);
  });

  test('says nothing that PostgreSQL does not store', () => {
    const said = '&#0;&#xD800;&#x1;\u0000No&#10;&#x1F600;';
    const words = `<r:DescripcionErrorRegistro>${said}</r:DescripcionErrorRegistro>`;
    expect(readReply(reply(line('Incorrecto', words)))).toMatchObject({ records: [{ message: 'No 😀' }] });
    const fault = enveloped(`<env:Fault><faultstring>${said}</faultstring></env:Fault>`);
    expect(readReply(fault)).toEqual({ type: 'fault', message: 'No 😀' });
  });
});
