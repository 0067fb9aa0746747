export { renderListPdf } from './list.ts'
export type { ListPdfRequest, PdfLanguage, PdfUniversity } from './list.ts'
export { PdfError, closePdf, registerTemplate, renderPdf } from './pdf.ts'
export type { PdfAttachment, PdfErrorCode, PdfRequest } from './pdf.ts'
