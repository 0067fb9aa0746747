import { z } from 'zod'
import { call, id } from '#kit/contract/index.ts'
import { wholeUpTo } from '#kit/contract/parts.ts'
import { FILE_KINDS, MAX_FILE } from '../archive.rules.ts'
import { ROOT, formId } from '../entry.contract.ts'

const entry = z.object({ id, name: z.string(), version: z.int() })
/** What becomes of a name that the folder holds already: refuse, a new version of that file, or a name beside it. */
const taken = z.enum(['refuse', 'version', 'rename']).default('refuse')

/** An upload that goes on after a break: what it is, and how much of it is here. */
const upload = z.object({ key: z.uuid(), name: z.string(), size: z.int(), received: z.int(), part: z.int() })

/** How files come in: small ones at once, large ones in parts, folders as a ZIP. */
export const uploadCalls = {
  uploadArchive: call('POST', '/archive/upload', {
    permission: 'edit_archive',
    summary: ['Upload a file into a folder', 'رفع ملف إلى مجلد'],
    upload: { field: 'file', accept: FILE_KINDS, maxMB: 30 },
    body: z.strictObject({
      parent_id: formId.default(ROOT),
      /** Folders below it, made where they are missing. */
      path: z.string().max(1000).default(''),
      taken,
    }),
    response: z.object({ data: entry }),
    example: { parent_id: ROOT, taken: 'rename' },
  }),
  /**
   * `begin` tells where and how large; `part` sends what follows what is here; `state` asks how much that is; `finish`
   * makes the file of it; `cancel` gives it up.
   */
  uploadParts: call('POST', '/archive/upload/{suffix}', {
    permission: 'edit_archive',
    summary: [
      'Upload a large file in parts, also after a break',
      'رفع ملف كبير على أجزاء مع إمكان الاستكمال بعد الانقطاع',
    ],
    params: z.object({ suffix: z.enum(['begin', 'part', 'state', 'finish', 'cancel']) }),
    upload: { field: 'file', accept: [], maxMB: 9, optional: true, part: true },
    body: z.strictObject({
      parent_id: formId.optional(),
      path: z.string().max(1000).optional(),
      name: z.string().max(300).optional(),
      size: wholeUpTo(MAX_FILE).optional(),
      key: z.uuid().optional(),
      offset: wholeUpTo(MAX_FILE).optional(),
      taken,
    }),
    response: z.object({ data: z.object({ upload: upload.nullable(), entry: entry.nullable() }) }),
    example: { parent_id: ROOT, name: 'statutes.pdf', size: 1000 },
  }),
  newVersion: call('POST', '/archive/update/{id}', {
    permission: 'edit_archive',
    summary: [
      'Put a new version in place of a file, or bring an earlier one back',
      'استبدال ملف بنسخة جديدة أو إرجاع نسخة سابقة',
    ],
    upload: { field: 'file', accept: FILE_KINDS, maxMB: 30, optional: true },
    body: z.strictObject({
      /** An earlier version that becomes the present one. */
      number: wholeUpTo(1_000_000).optional(),
      /** A finished upload in parts. */
      key: z.uuid().optional(),
    }),
    response: z.object({ data: entry }),
  }),
  importZip: call('POST', '/archive/import', {
    permission: 'edit_archive',
    summary: ['Unpack a ZIP into a new folder', 'فك ملف ZIP في مجلد جديد'],
    upload: { field: 'file', accept: ['zip'], maxMB: 30, optional: true },
    body: z.strictObject({
      parent_id: formId.default(ROOT),
      /** An upload in parts that is all here. */
      key: z.uuid().optional(),
    }),
    response: z.object({
      data: z.object({ id, name: z.string(), files: z.int(), folders: z.int(), left_out: z.int() }),
    }),
  }),
}
