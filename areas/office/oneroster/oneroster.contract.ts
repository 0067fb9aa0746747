import { z } from 'zod'
import { area, call, jobStarted, screen } from '#kit/contract/index.ts'
import { BUNDLE_ERRORS, BUNDLE_NOTES, LEFT_REASONS } from './bundle/texts.rules.ts'

const upload = { field: 'file', accept: ['zip'], maxMB: 30 } as const

/** A code with its texts; `data` is for the other languages to fill their own. */
const said = z.object({
  code: z.string(),
  en: z.string(),
  ar: z.string(),
  data: z.record(z.string(), z.unknown()).optional(),
})
/** Something found in a bundle, with its place. */
const finding = said.extend({
  file: z.string(),
  line: z.int().nullable(),
  column: z.string().nullable(),
  /** What stands in the cell, where one cell is wrong. */
  value: z.string().optional(),
})
const count = z.object({
  created: z.int(),
  changed: z.int(),
  same: z.int(),
  gone: z.int(),
  removed: z.int(),
  left: z.int(),
})
const change = z.object({
  kind: z.string(),
  action: z.enum(['created', 'changed', 'gone', 'left']),
  external_id: z.string(),
  label: z.string(),
  line: z.int().nullable(),
  field: z.string().nullable(),
  old: z.string().nullable(),
  new: z.string().nullable(),
  reason: said.nullable(),
})
const difference = z.object({
  /** Of an import that was done: by which it is taken back. */
  operation_id: z.int().nullable(),
  other_sources: z.array(z.string()),
  counts: z.record(z.string(), count),
  /** Examples of each kind of change. */
  changes: z.array(change),
  removals: z.object({
    count: z.int(),
    percent: z.number(),
    kind: z.string().nullable(),
    /** So many that their number is asked for. */
    asks: z.boolean(),
    done: z.boolean(),
  }),
})
const checked = z.object({
  data: z.object({
    /** By which the bundle is checked again with corrections, and imported. */
    import_id: z.uuid(),
    source: z.string(),
    counts: z.record(z.string(), z.int()),
    errors: z.array(finding),
    error_count: z.int(),
    notes: z.array(finding),
    note_count: z.int(),
    /** What the import would change; null while there are errors in the files. */
    difference: difference.nullable(),
  }),
})
const corrections = z
  .array(
    z.strictObject({
      file: z.string().max(60),
      line: z.int().min(1),
      /** null: the row is left out. */
      column: z.string().max(60).nullable(),
      value: z.string().max(1000),
    }),
  )
  .max(1000)
const step = z.object({ id: z.uuid() })

export const checkOneRoster = call('POST', '/oneroster/check', {
  permission: 'import_oneroster',
  summary: ['Check a OneRoster bundle', 'مراجعة ملفات OneRoster'],
  upload,
  response: checked,
  reads: true,
})

export const correctOneRoster = call('POST', '/oneroster/check/{id}', {
  permission: 'import_oneroster',
  summary: ['Check a OneRoster bundle again with corrections', 'إعادة مراجعة ملفات OneRoster بعد التصحيح'],
  params: step,
  body: z.strictObject({ corrections }),
  response: checked,
  reads: true,
  example: { corrections: [] },
})

export const importOneRoster = call('POST', '/oneroster/import', {
  permission: 'import_oneroster',
  summary: ['Import a OneRoster bundle', 'استيراد ملفات OneRoster'],
  upload,
  response: jobStarted,
})

export const importCheckedOneRoster = call('POST', '/oneroster/import/{id}', {
  permission: 'import_oneroster',
  summary: ['Import a checked OneRoster bundle', 'استيراد ملفات OneRoster بعد مراجعتها'],
  params: step,
  /** `removals`: how many records and enrolments are removed; without it none is. */
  body: z.strictObject({ removals: z.int().min(1).nullable().optional() }),
  response: jobStarted,
  example: { removals: null },
})

/** Bringing a whole university in from another system. */
export const oneRosterArea = area({
  name: 'oneroster',
  label: ['Import of a university', 'استيراد جامعة'],
  calls: { checkOneRoster, correctOneRoster, importOneRoster, importCheckedOneRoster },
  screens: [
    screen('/settings/import', {
      permission: 'import_oneroster',
      title: ['Import of a university', 'استيراد جامعة'],
      menu: { group: 'settings', order: 90, icon: 'database-import', setup: true },
    }),
  ],
  errors: {
    bundle_has_errors: ['The bundle has {count} errors; nothing was stored.', 'الملفات بها {count} خطأ؛ لم يُحفظ شيء.'],
    bundle_not_readable: ['This ZIP file cannot be read.', 'تعذرت قراءة ملف ZIP.'],
    bundle_too_large: [
      'The unpacked bundle is larger than {max} MB.',
      'حجم الملفات بعد فك الضغط أكبر من {max} ميجابايت.',
    ],
    roster_check_over: [
      'This check is no longer kept. Choose the files again.',
      'انتهت صلاحية هذه المراجعة. اختر الملفات من جديد.',
    ],
    roster_removals_differ: [
      'The import would remove {count}, not {stated}. Check the bundle again and confirm the new number.',
      'سيحذف الاستيراد {count} وليس {stated}. راجع الملفات من جديد وأكد العدد الجديد.',
    ],
    ...BUNDLE_ERRORS,
    ...BUNDLE_NOTES,
    ...LEFT_REASONS,
  },
})
