import { z } from 'zod'
import { area, call, jobStarted, screen } from '#kit/contract/index.ts'
import { BUNDLE_ERRORS } from './oneroster.rules.ts'

const upload = { field: 'file', accept: ['zip'], maxMB: 30 } as const

/** One error of a bundle, with its place. */
export const bundleError = z.object({
  file: z.string(),
  line: z.int().nullable(),
  column: z.string().nullable(),
  code: z.string(),
  en: z.string(),
  ar: z.string(),
  /** For the other languages to fill their own texts. */
  data: z.record(z.string(), z.unknown()).optional(),
})

export const checkOneRoster = call('POST', '/oneroster/check', {
  permission: 'import_oneroster',
  summary: ['Check a OneRoster bundle', 'مراجعة ملفات OneRoster'],
  upload,
  response: z.object({
    data: z.object({
      source: z.string(),
      counts: z.record(z.string(), z.int()),
      errors: z.array(bundleError),
    }),
  }),
  reads: true,
})

export const importOneRoster = call('POST', '/oneroster/import', {
  permission: 'import_oneroster',
  summary: ['Import a OneRoster bundle', 'استيراد ملفات OneRoster'],
  upload,
  response: jobStarted,
})

/** Bringing a whole university in from another system. */
export const oneRosterArea = area({
  name: 'oneroster',
  label: ['Import of a university', 'استيراد جامعة'],
  calls: { checkOneRoster, importOneRoster },
  screens: [
    screen('/settings/import', {
      permission: 'import_oneroster',
      title: ['Import of a university', 'استيراد جامعة'],
      menu: { group: 'settings', order: 90, icon: 'database-import' },
    }),
  ],
  errors: {
    bundle_has_errors: ['The bundle has {count} errors; nothing was stored.', 'الملفات بها {count} خطأ؛ لم يُحفظ شيء.'],
    bundle_not_readable: ['This ZIP file cannot be read.', 'تعذرت قراءة ملف ZIP.'],
    bundle_too_large: [
      'The unpacked bundle is larger than {max} MB.',
      'حجم الملفات بعد فك الضغط أكبر من {max} ميجابايت.',
    ],
    ...BUNDLE_ERRORS,
  },
})
