import { PdfError, renderPdf } from './pdf.ts'

/** Language codes with a layout of their own; another falls back to English words. */
export type PdfLanguage = 'ar' | 'de' | 'en' | 'fr' | 'pt'

/** The head of a page. Units (a faculty, a department) are optional second lines. */
export interface PdfUniversity {
  name: string
  name_local: string
  unit?: string
  unit_local?: string
}

/** A table of a list on paper. */
export interface ListPdfTable {
  /** Stands above the table, where a paper has several. */
  heading?: string
  columns: { label: string; align?: 'start' | 'center' | 'end' }[]
  /** Texts as they are shown; every row as long as `columns`. */
  rows: string[][]
}

export interface ListPdfRequest extends ListPdfTable {
  title: string
  lang: PdfLanguage
  /** Further tables, in this order. */
  more?: readonly ListPdfTable[]
  /** One line under the title: the filters, the term, who printed it. */
  facts?: { label: string; value: string }[]
  university: PdfUniversity
  /** PNG, JPEG, SVG or WebP. */
  logo?: { ext: 'png' | 'jpg' | 'svg' | 'webp'; bytes: Uint8Array }
  created?: Date
}

/** Characters across which a page is too narrow and is turned. */
const uprightWidth = 105
const manyRows = 500

/** A table as the template takes it, and how many characters it is wide. */
function tableOf({ heading, columns, rows }: ListPdfTable) {
  const widths = columns.map((column, index) => columnWidth(column.label, rows, index))
  return {
    across: widths.reduce((sum, width) => sum + width + 2, 0),
    table: {
      heading: heading ?? null,
      columns: columns.map(({ label, align = 'start' }, index) => ({ label, align, weight: widths[index]! + 2 })),
      rows: rows.map((row) => columns.map((_, index) => row[index] ?? '')),
    },
  }
}

/**
 * Any list as a PDF: title, facts, rows under a header that repeats, page numbers; turned to landscape when wide.
 * A character without a glyph in the fonts is printed as a box, so that one odd name does not withhold the whole list.
 */
export async function renderListPdf(request: ListPdfRequest): Promise<Uint8Array> {
  const tables = [request, ...(request.more ?? [])].map(tableOf)
  const pdf = {
    template: 'list',
    data: {
      title: request.title,
      lang: request.lang,
      university: {
        ...request.university,
        ...(request.logo && { logo: `logo.${request.logo.ext}` }),
      },
      facts: request.facts ?? [],
      landscape: Math.max(...tables.map(({ across }) => across)) > uprightWidth,
      tables: tables.map(({ table }) => table),
    },
    ...(request.logo && { files: { [`logo.${request.logo.ext}`]: request.logo.bytes } }),
    tags: tables.reduce((sum, { table }) => sum + table.rows.length, 0) <= manyRows,
    created: request.created ?? new Date(),
  }
  try {
    return await renderPdf(pdf)
  } catch (error) {
    if (!(error instanceof PdfError) || error.code !== 'pdf_glyph_missing') throw error
    return renderPdf({ ...pdf, archive: false })
  }
}

/**
 * Characters a column wants: nearly its longest text, at least its label's longest word, never more than 42. Given to
 * the layout as a share, because measuring every cell there doubles the time of long lists.
 */
function columnWidth(label: string, rows: string[][], index: number): number {
  const lengths = rows.map((row) => row[index]?.length ?? 0).toSorted((a, b) => a - b)
  const usual = lengths[Math.floor((lengths.length - 1) * 0.98)] ?? 0
  const word = Math.max(...label.split(/\s+/).map((part) => part.length))
  return Math.min(42, Math.max(4, word + 1, usual))
}
