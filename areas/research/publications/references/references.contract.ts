import { call, id, idParam, listQuery, safeText } from '#kit/contract/index.ts'
import { z } from 'zod'

const note = z.object({
  code: z.string(),
  field: z.string().nullish(),
  en: z.string(),
  ar: z.string(),
  data: z.record(z.string(), z.unknown()).optional(),
})
const OUTCOMES = ['added', 'known', 'wrong', 'read'] as const
const line = z.object({
  line: z.int(),
  /** What it is called in the file. */
  key: z.string(),
  title: z.string().nullable(),
  outcome: z.enum(OUTCOMES),
  notes: z.array(note),
  publication_id: id.nullable(),
})
export type ReferenceLine = z.output<typeof line>
const imported = z.object({
  id,
  name: z.string(),
  format: z.enum(['bibtex', 'ris', 'csl']),
  entries: z.int(),
  added: z.int(),
  known: z.int(),
  wrong: z.int(),
  created_at: z.string(),
  finished_at: z.string().nullable(),
})
export type ReferenceImport = z.output<typeof imported>

export const referenceCalls = {
  importReferences: call('POST', '/publications/import', {
    permission: 'add_publication',
    summary: [
      'Import publications from a BibTeX, RIS or CSL-JSON file',
      'استيراد منشورات من ملف BibTeX أو RIS أو CSL-JSON',
    ],
    upload: { field: 'file', accept: ['txt'], called: 'BibTeX, RIS, CSL-JSON', maxMB: 30 },
    response: z.object({ data: z.object({ import: imported, job: z.string().nullable() }) }),
  }),
  imports: call('GET', '/publications/imports', {
    permission: 'add_publication',
    summary: ['Files of references that one imported', 'ملفات المراجع المستوردة'],
    response: z.object({ data: z.array(imported) }),
  }),
  importLines: call('GET', '/publications/imports/{id}', {
    permission: 'add_publication',
    summary: ['What became of every entry of an imported file', 'نتيجة كل مدخل في ملف مستورد'],
    query: z.object({ outcome: z.enum([...OUTCOMES, 'noted']).optional(), page: idParam.optional() }),
    response: z.object({ data: z.object({ import: imported, lines: z.array(line), count: z.int() }) }),
  }),
  exportReferences: call('POST', '/publications/export-references/{format}', {
    permission: 'export_publication',
    summary: [
      'Take publications out as BibTeX, RIS, CSL-JSON or a reference list',
      'تصدير منشورات بصيغة BibTeX أو RIS أو CSL-JSON أو قائمة مراجع',
    ],
    params: z.object({ format: z.enum(['bibtex', 'ris', 'csl', 'apa', 'ieee', 'vancouver']) }),
    body: z.strictObject({
      ids: z.array(id).max(5000).optional(),
      search: safeText(200).optional(),
      filters: listQuery.shape.filters,
    }),
    file: { name: 'Publications.txt', type: 'txt' },
    reads: true,
    example: {},
  }),
}
/** Entries on one page of what became of a file. */
export const LINES_ON_PAGE = 100
