/**
 * Marks a PDF/A as PDF/UA-1 as well: the compiler writes one standard at a time. The marks are what ISO 14289-1 asks of a file beside its
 * structure: the identifier in the metadata (with its schema, which PDF/A wants described), and that readers show the title, not the name of
 * the file. Whether the structure deserves them is judged by the compiler's own PDF/UA-1, in tests.
 */

/** PDF/A knows the schemas of its own list alone; others are described where they are used. */
const SCHEMA =
  '<rdf:li rdf:parseType="Resource"><pdfaSchema:schema>PDF/UA identification schema</pdfaSchema:schema>' +
  '<pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI><pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>' +
  '<pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource"><pdfaProperty:category>internal</pdfaProperty:category>' +
  '<pdfaProperty:description>Part of ISO 14289 that the file follows</pdfaProperty:description><pdfaProperty:name>part</pdfaProperty:name>' +
  '<pdfaProperty:valueType>Integer</pdfaProperty:valueType></rdf:li></rdf:Seq></pdfaSchema:property></rdf:li>'
const NAMESPACE = 'http://www.aiim.org/pdfua/ns/id/'

/** Replaces what must stand there once. @throws when the compiler writes it otherwise than it did */
const once = (text: string, from: string, to: string): string => {
  const at = text.indexOf(from)
  if (at < 0) throw new Error(`The compiler writes no ${from}`)
  return text.slice(0, at) + to + text.slice(at + from.length)
}

/**
 * The same file with the marks. Metadata and catalogue are the last two objects that the compiler writes, so all before them stays byte
 * for byte, and of the table of objects one line changes.
 */
export function markAccessible(pdf: Uint8Array): Uint8Array {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)
  const start = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(bytes.subarray(-64).toString('latin1'))?.[1])
  const table = bytes.subarray(start).toString('latin1')
  const root = Number(/\/Root (\d+) 0 R/.exec(table)?.[1])
  const offsetOf = (object: number) => Number.parseInt(table.split('\n')[object + 2] ?? '', 10)
  const from = offsetOf(root - 1)
  const catalogAt = offsetOf(root)
  if (!(from > 0 && catalogAt > from && start > catalogAt))
    throw new Error('The compiler writes the catalogue elsewhere')

  // The metadata are UTF-8, and may hold a title in any script.
  const written = bytes.subarray(from, catalogAt)
  const begins = written.indexOf('stream\n') + 'stream\n'.length
  const ends = written.lastIndexOf('\nendstream')
  let xmp = written.subarray(begins, ends).toString('utf8')
  xmp = once(xmp, ' xmlns:pdfaid=', ` xmlns:pdfuaid="${NAMESPACE}"  xmlns:pdfaid=`)
  xmp = once(xmp, '<pdfaExtension:schemas><rdf:Bag>', `<pdfaExtension:schemas><rdf:Bag>${SCHEMA}`)
  xmp = once(xmp, '<pdfaid:part>', '<pdfuaid:part>1</pdfuaid:part><pdfaid:part>')
  const content = Buffer.from(xmp, 'utf8')
  const head = once(
    written.subarray(0, begins).toString('latin1'),
    `/Length ${ends - begins}`,
    `/Length ${content.length}`,
  )
  const metadata = Buffer.concat([Buffer.from(head, 'latin1'), content, written.subarray(ends)])
  const catalog = Buffer.from(
    once(
      bytes.subarray(catalogAt, start).toString('latin1'),
      '/ViewerPreferences <<',
      '/ViewerPreferences <<\n    /DisplayDocTitle true',
    ),
    'latin1',
  )
  const lines = table.split('\n')
  lines[root + 2] = `${String(from + metadata.length).padStart(10, '0')}${lines[root + 2]!.slice(10)}`
  const moved = from + metadata.length + catalog.length
  const end = lines.join('\n').replace(/startxref\s+\d+/, `startxref\n${moved}`)
  return Buffer.concat([bytes.subarray(0, from), metadata, catalog, Buffer.from(end, 'latin1')])
}
