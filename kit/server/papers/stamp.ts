import { fileURLToPath } from 'node:url'
import { PDFDict, PDFDocument, PDFName } from '@cantoo/pdf-lib'
import type { PaperLanguage } from '#kit/contract/index.ts'
import { registerTemplate, renderPdf } from '../documents/index.ts'

registerTemplate('stamp', fileURLToPath(new URL('./stamp.typ', import.meta.url)))

/** Points of a millimetre. */
const MM = 72 / 25.4
const FROM_TOP = 3 * MM

/**
 * An issued file with a line over the top of each page: a copy that says so wherever it lies. It does not carry the signature of the
 * original, which is over other bytes, so that nobody takes it for the original.
 *
 * @param pdf a file as it was issued
 */
export async function stampPdf(pdf: Uint8Array, line: { lang: PaperLanguage; text: string }): Promise<Uint8Array> {
  const stamp = await renderPdf({ template: 'stamp', data: line, tags: false, archive: false })
  const file = await PDFDocument.load(pdf, { updateMetadata: false })
  const [over] = await file.embedPdf(stamp, [0])
  const isOf = (key: string, value: string, object: unknown) =>
    object instanceof PDFDict && object.get(PDFName.of(key)) === PDFName.of(value)
  for (const [ref, object] of file.context.enumerateIndirectObjects())
    if (isOf('Type', 'Sig', object) || isOf('Subtype', 'Widget', object)) file.context.delete(ref)
  file.catalog.delete(PDFName.of('AcroForm'))
  for (const page of file.getPages()) {
    // The only annotations of a paper: the widget of its signature.
    page.node.delete(PDFName.of('Annots'))
    page.drawPage(over!, {
      x: (page.getWidth() - over!.width) / 2,
      y: page.getHeight() - over!.height - FROM_TOP,
    })
  }
  return file.save()
}
