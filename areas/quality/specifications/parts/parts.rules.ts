/** What a part of a specification says, by its kind. */
import type { Reason } from '#kit/contract/issues.ts'
import type { PartInput, PartKind } from './parts.contract.ts'

type Field = Exclude<keyof PartInput, 'specification_id' | 'version' | 'position'>
const BILINGUAL = ['text', 'text_local'] as const
/** Columns of each kind: which a new part needs, and which it may have. */
export const PART_FIELDS: Readonly<Record<PartKind, { needs: readonly Field[]; may: readonly Field[] }>> = {
  outcomes: { needs: ['code', 'domain', 'level', ...BILINGUAL], may: ['verb', 'target'] },
  topics: { needs: BILINGUAL, may: ['weeks', 'hours'] },
  methods: { needs: BILINGUAL, may: [] },
  assessments: { needs: [...BILINGUAL, 'weight'], may: ['week', 'mark_category_id'] },
  references: { needs: ['kind', 'text'], may: [] },
}
const KEYS: readonly Field[] = [...new Set(Object.values(PART_FIELDS).flatMap(({ needs, may }) => [...needs, ...may]))]

/** Why a part is not written as it is given. `fresh`: it is new, and needs all of its kind. */
export function checkPart(kind: PartKind, given: PartInput, fresh: boolean): Reason[] {
  const { needs, may } = PART_FIELDS[kind]
  const known = new Set<Field>([...needs, ...may])
  return [
    ...(fresh && given.specification_id === undefined ? [{ field: 'specification_id', code: 'required' }] : []),
    ...needs.flatMap((field) =>
      given[field] === null || (fresh && given[field] === undefined) ? [{ field, code: 'required' }] : [],
    ),
    ...KEYS.flatMap((field) =>
      given[field] !== undefined && !known.has(field) ? [{ field, code: 'spec_part_needless' }] : [],
    ),
  ]
}

/** Ids in the order that puts one of them at a place, from 1; a place behind the last is the last. */
export function partsReordered(ids: readonly number[], moved: number, place: number): number[] {
  const rest = ids.filter((id) => id !== moved)
  return [...rest.slice(0, place - 1), moved, ...rest.slice(place - 1)]
}
