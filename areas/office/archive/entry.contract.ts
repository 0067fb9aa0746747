import { z } from 'zod'
import { id, idParam } from '#kit/contract/index.ts'
import { failing, safeText } from '#kit/contract/schema.ts'
import { MAX_NAME, SHORT_NAME, nameReasons, tidyEntryName } from './archive.rules.ts'

/** The root of the tree: a folder like any other, which is always there. */
export const ROOT = 1

export const entryKind = z.enum(['folder', 'file', 'page'])
/** A name that any file system takes. */
export const entryName = z
  .string()
  .max(MAX_NAME * 2)
  .transform(tidyEntryName)
  .pipe(
    safeText(MAX_NAME, 1).refine(
      (name) => nameReasons(name).length === 0,
      failing('archive_name_unsafe', { name: '' }),
    ),
  )
export const shortName = z
  .string()
  .max(60)
  .refine((text) => SHORT_NAME.test(text), failing('archive_short_name_form'))

/** A folder on the way to an entry. */
export const step = z.object({ id, name: z.string(), name_local: z.string().nullable() })
/** An entry, as lists tell it. */
export const entryRow = z.object({
  id,
  parent_id: id.nullable(),
  kind: entryKind,
  name: z.string(),
  name_local: z.string().nullable(),
  short_name: z.string().nullable(),
  position: z.int(),
  /** false: only those whom its list names see it. */
  inherits: z.boolean(),
  /** Entries in it that the reader sees. */
  children: z.int(),
  size: z.int().nullable(),
  ext: z.string().nullable(),
  version: z.int(),
  updated_at: z.string(),
  updated_by: z.string().nullable(),
  removed_at: z.string().nullable(),
  /** When what lies in the recycle bin is deleted for good. */
  goes_at: z.string().nullable(),
  /** Folders around it, the outermost first: in what a search finds, and in the recycle bin. */
  path: z.array(step).nullable(),
  abilities: z.array(z.string()),
})

export const accessLine = z.strictObject({
  user_id: id.nullish(),
  role_id: id.nullish(),
  level: z.enum(['view', 'edit']),
})
/** Somebody, or a role, in the list of who sees a folder. */
export const accessRow = z.object({
  user_id: id.nullable(),
  role_id: id.nullable(),
  level: z.enum(['view', 'edit']),
  name: z.string(),
  name_local: z.string().nullable(),
})
export const versionRow = z.object({
  number: z.int(),
  size: z.int(),
  ext: z.string(),
  created_at: z.string(),
  created_by: z.string().nullable(),
})
export const pageRow = z.object({
  language: z.enum(['ar', 'en']),
  body: z.string(),
  version: z.int(),
  updated_at: z.string(),
})
/** An entry with all that belongs to it. */
export const wholeEntry = entryRow.extend({
  path: z.array(step),
  /** Of a folder with a list of its own, to those who change it. */
  access: z.array(accessRow).nullable(),
  versions: z.array(versionRow),
  pages: z.array(pageRow),
  /** Of a folder: an address for this reader, good for a while, from which all of it comes as a ZIP. */
  zip: z.string().nullable(),
})

/** Ids that one step names. */
export const entryIds = z.array(id).min(1).max(500)
/** An id in a form that may travel as JSON or beside a file. */
export const formId = z.union([id, idParam])
