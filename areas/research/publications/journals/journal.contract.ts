import { crud } from '#access/crud.contract.ts'
import { call, f, resource } from '#kit/contract/index.ts'
import { z } from 'zod'

/** Journals as a published list ranks them in a year: publications are counted by the quartile of theirs. */
export const rankedJournal = resource({
  name: 'rankedJournal',
  path: '/ranked-journals',
  table: 'ranked_journals',
  one: ['Ranked journal', 'دورية مصنفة'],
  many: ['Ranked journals', 'الدوريات المصنفة'],
  adding: ['Add a ranked journal', 'إضافة دورية مصنفة'],
  editing: ['Edit ranked journal', 'تعديل دورية مصنفة'],
  permissions: { ...crud('rankedJournal'), import: null },
  scope: 'university',
  changedBy: 'whole',
  fields: {
    title: f.text(['Title', 'العنوان'], { max: 500, required: true }),
    issn: f.text(['ISSN', 'ISSN'], { max: 9, required: true }),
    other_issn: f.text(['Other ISSN', 'ISSN آخر'], {
      max: 9,
      help: ['Print and online have one each.', 'للنسخة المطبوعة رقم وللإلكترونية رقم.'],
    }),
    publisher: f.text(['Publisher', 'الناشر'], { max: 300 }),
    year: f.integer(['Year of the list', 'سنة القائمة'], { min: 1900, max: 2200, year: true, required: true }),
    quartile: f.integer(['Quartile', 'الربع'], { min: 1, max: 4, required: true }),
  },
  list: {
    columns: ['title', 'issn', 'other_issn', 'publisher', 'year', 'quartile'],
    search: ['title'],
    sort: ['title', 'year', 'quartile'],
    filters: ['year', 'quartile'],
    order: ['title', 'asc'],
  },
  exportName: 'Ranked journals',
  softDelete: true,
  examples: [{ title: 'Journal of Lighthouses', issn: '1476-4687', year: 2024, quartile: 2 }],
  screens: {
    list: '/ranked-journals',
    show: '/ranked-journals/:id',
    add: '/ranked-journals/add',
    edit: '/ranked-journals/edit/:id',
  },
  menu: { group: 'research', order: 80, icon: 'award', setup: true },
})

export const rankedJournalCalls = {
  /** A list as it is published (SCImago, say): title, ISSNs and quartile are known by the names of their columns. */
  importJournals: call('POST', '/ranked-journals/import-list', {
    permission: 'import_rankedJournal',
    summary: ['Import a published list of ranked journals', 'استيراد قائمة منشورة للدوريات المصنفة'],
    upload: { field: 'file', accept: ['csv', 'xlsx'], maxMB: 30 },
    body: z.strictObject({ year: z.coerce.number().pipe(z.int().min(1900).max(2200)) }),
    response: z.object({
      data: z.object({
        journals: z.int(),
        added: z.int(),
        changed: z.int(),
        /** Rows that were passed over, by their line. */
        wrong: z.array(z.object({ line: z.int(), code: z.string() })),
      }),
    }),
  }),
}
