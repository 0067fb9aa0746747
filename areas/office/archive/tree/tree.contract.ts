import { z } from 'zod'
import { call, id, idParam, listOf, listQuery, saved } from '#kit/contract/index.ts'
import {
  ROOT,
  accessLine,
  entryIds,
  entryKind,
  entryName,
  entryRow,
  shortName,
  step,
  wholeEntry,
} from '../entry.contract.ts'

const many = z.object({ data: z.array(z.object({ id, name: z.string() })) })

/** People found by a name. */
export const MOST_NAMES = 20

/** Where entries lie, what they are called, who sees them. */
export const treeCalls = {
  listArchive: call('POST', '/archive', {
    permission: 'access_archive',
    summary: [
      'List a folder, search beneath it, or list the recycle bin',
      'عرض محتويات مجلد أو البحث فيه أو عرض سلة المحذوفات',
    ],
    body: listQuery.extend({ parent_id: id.optional(), kind: entryKind.optional() }),
    response: listOf(entryRow).extend({
      /** The folder that is listed. */
      folder: entryRow,
      path: z.array(step),
    }),
    example: { perPage: 50 },
    reads: true,
  }),
  getArchive: call('GET', '/archive/{id}', {
    permission: 'access_archive',
    summary: ['Get an entry of the archive', 'عرض عنصر من الأرشيف'],
    response: z.object({ data: wholeEntry }),
  }),
  archiveParents: call('GET', '/archive/parents/{a}/{b}/{n}', {
    permission: 'access_archive',
    summary: [
      'List the folders around an entry, from below another one, so many at most',
      'عرض المجلدات المحيطة بعنصر ابتداءً من مجلد معين وبعدد محدد',
    ],
    params: z.object({ a: idParam, b: idParam, n: idParam }),
    response: z.object({ data: z.array(step) }),
  }),
  putArchive: call('PUT', '/archive', {
    permission: 'edit_archive',
    summary: ['Create a folder or a page, or rename an entry', 'إنشاء مجلد أو صفحة أو إعادة تسمية عنصر'],
    body: z.strictObject({
      /** An entry to be renamed; without it one is created. */
      id: id.optional(),
      parent_id: id.optional(),
      kind: z.enum(['folder', 'page']).optional(),
      name: entryName,
      name_local: entryName.nullish(),
      short_name: shortName.nullish(),
    }),
    response: z.object({ data: saved }),
    example: { parent_id: ROOT, kind: 'folder', name: 'Circulars', name_local: 'المنشورات الدورية' },
  }),
  updateArchive: call('PUT', '/archive/{id}', {
    permission: 'edit_archive',
    summary: ['Change an entry, say who sees it, or restore it', 'تعديل عنصر أو تحديد من يراه أو استعادته'],
    body: z.strictObject({
      name: entryName.optional(),
      name_local: entryName.nullish(),
      short_name: shortName.nullish(),
      /** false: only those in `access` see it. */
      inherits: z.boolean().optional(),
      access: z.array(accessLine).max(200).optional(),
      /** false: back from the recycle bin, with what was removed with it. */
      removed: z.literal(false).optional(),
      version: z.int().min(1).max(2_147_483_647).optional(),
    }),
    response: z.object({ data: saved }),
  }),
  restoreArchive: call('POST', '/archive/restore/{id}', {
    permission: 'edit_archive',
    summary: [
      'Restore an entry from the recycle bin, with what was removed with it',
      'استعادة عنصر من سلة المحذوفات بما حُذف معه',
    ],
    response: z.object({ data: saved }),
  }),
  removeArchive: call('DELETE', '/archive/{id}', {
    permission: 'edit_archive',
    summary: ['Put an entry into the recycle bin, with all that lies in it', 'نقل عنصر بكل ما فيه إلى سلة المحذوفات'],
    response: z.object({ data: saved.extend({ count: z.int() }) }),
  }),
  emptyArchive: call('POST', '/archive/empty', {
    permission: 'edit_archive',
    summary: [
      'Delete entries of the recycle bin for good, or all that one may delete',
      'حذف عناصر سلة المحذوفات نهائيًا أو كل ما يحق حذفه منها',
    ],
    body: z.strictObject({ ids: entryIds.optional() }),
    response: z.object({
      /** `left`: what lies in the recycle bin still, of what the reader may delete. */
      data: z.object({ count: z.int(), left: z.int() }),
    }),
    example: {},
  }),
  orderArchive: call('POST', '/archive/order', {
    permission: 'edit_archive',
    summary: ['Put entries of a folder in order', 'ترتيب عناصر مجلد'],
    body: z.strictObject({ parent_id: id.default(ROOT), ids: z.array(id).min(1).max(5000) }),
    response: z.object({ data: z.array(id) }),
    example: { parent_id: ROOT, ids: [2] },
  }),
  moveArchive: call('POST', '/archive/move_to/{id}', {
    permission: 'edit_archive',
    summary: ['Move entries into a folder', 'نقل عناصر إلى مجلد'],
    body: z.strictObject({ ids: entryIds }),
    response: many,
  }),
  pasteArchive: call('POST', '/archive/paste_to/{id}', {
    permission: 'edit_archive',
    summary: ['Copy entries into a folder, with what lies in them', 'نسخ عناصر بمحتوياتها إلى مجلد'],
    body: z.strictObject({ ids: entryIds }),
    response: many,
  }),
  checkShortName: call('POST', '/archive/check_short_name/{id}/{name}', {
    permission: 'access_archive',
    summary: ['Check whether a short name is free for an entry', 'التحقق من إتاحة اسم مختصر لعنصر'],
    params: z.object({ id: idParam, name: z.string().min(1).max(60) }),
    /** `inside`: for a new entry of the folder `id`. */
    query: z.strictObject({ inside: z.literal('1').optional() }),
    response: z.object({ data: z.object({ free: z.boolean(), valid: z.boolean() }) }),
    reads: true,
  }),
  archiveNames: call('POST', '/archive/names/users_roles', {
    permission: 'edit_archive',
    summary: ['Find people and roles who may be given access', 'البحث عن أشخاص وأدوار لمنحهم حق الوصول'],
    body: z.strictObject({ search: z.string().trim().max(100).default('') }),
    response: z.object({
      data: z.object({
        users: z.array(z.object({ id, name: z.string(), name_local: z.string().nullable() })),
        roles: z.array(z.object({ id, name: z.string(), name_local: z.string().nullable() })),
      }),
    }),
    reads: true,
  }),
}
