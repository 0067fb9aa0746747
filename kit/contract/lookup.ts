import { crud } from '#access/crud.contract.ts'
import type { Lookup, Subject } from '#access/permissions.contract.ts'
import { f } from './field.ts'
import type { Fields } from './field.ts'
import { resource } from './resource.ts'
import type { ListLayout, Resource, Section, VerbPermissions } from './resource.ts'

/** What every lookup has: a code and a name in both languages. */
const NAMED = {
  code: f.code(['Code', 'الكود'], { required: true, max: 20 }),
  name: f.englishText(['English name', 'الاسم بالإنجليزية'], { required: true }),
  name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true }),
}
type NamedFields = typeof NAMED

/**
 * Defines a lookup: a short list of records that others choose from. It has a code and two names, the eight verbs, removed
 * records that come back, and the generic screens; whatever differs is given. `docs/HOW-TO.md` has the whole of it.
 *
 * @example lookup('trainingType', { path: '/training-types', one: […], many: […], adding: […], editing: […] })
 */
export const lookup = <const S extends Lookup | Subject, const F extends Fields, const P extends string>(
  subject: S,
  given: Pick<Resource<S, F, P>, 'path' | 'one' | 'many' | 'adding' | 'editing' | 'changedBy'> & {
    /** Name where lookups that point to it call it otherwise. */
    readonly name?: string
    /** Table; the last part of the path unless told. */
    readonly table?: string
    /** Fields after code and names. */
    readonly fields?: F
    readonly permissions?: Partial<VerbPermissions>
    readonly list?: Partial<ListLayout<keyof (NamedFields & F) & string>>
    readonly exportName?: string
    readonly screens?: Resource['screens']
    readonly menu?: Resource['menu']
    readonly parent?: Resource['parent']
    readonly examples?: Resource['examples']
    readonly plain?: boolean
    /** Parts of its form; one without a title unless told. */
    readonly sections?: readonly Section<keyof (NamedFields & F) & string>[]
  },
): Resource<S, NamedFields & F, P, 'university'> => {
  const fields = { ...NAMED, ...given.fields } as unknown as NamedFields & F
  const more = Object.entries(given.fields ?? {})
  const names = Object.keys(NAMED)
  return resource({
    ...given,
    name: (given.name ?? subject) as S,
    table: given.table ?? given.path.slice(1).replaceAll('-', '_'),
    permissions: { ...crud(subject), ...given.permissions },
    scope: 'university',
    fields,
    list: {
      columns: [...names, ...more.flatMap(([name, field]) => (field.detailOnly ? [] : [name]))],
      search: names,
      sort: names,
      filters: more.flatMap(([name, field]) => (['lookup', 'choice', 'flag'].includes(field.kind) ? [name] : [])),
      order: ['code', 'asc'],
      ...given.list,
    } as ListLayout,
    exportName: given.exportName ?? given.many[0],
    softDelete: true,
    screens: given.screens ?? { list: given.path, add: `${given.path}/add`, edit: `${given.path}/edit/:id` },
    plain: given.plain ?? true,
  } as never) as never
}
