import { formatList, formatNumber, nameOf, useLanguage, useT, type Named, type T } from '#kit/web/i18n/index.ts'
import { useMemo } from 'react'
import type { RequirementNames } from './stored.contract.ts'
import type { Requirement, Selector } from './tree.rules.ts'

/** What selectors name, by `course:12`, `tag:3`, `pool:5`, and requirements by `requirement:key`. */
export type Names = ReadonlyMap<string, Named>

/** Names of an answer as they are looked up. */
export const namesFrom = (names: RequirementNames | undefined): Map<string, Named> =>
  new Map(
    (
      [
        ['course', names?.courses],
        ['tag', names?.tags],
        ['department', names?.departments],
        ['faculty', names?.faculties],
        ['pool', names?.pools],
      ] as const
    ).flatMap(([kind, list]) => (list ?? []).map((one) => [`${kind}:${one.id}`, one] as const)),
  )

/** What a selector is looked up by; null: it names nothing that has a name of its own. */
export const nameKey = (one: Selector): string | null => {
  switch (one.by) {
    case 'course':
      return `course:${one.course_id}`
    case 'tag':
      return `tag:${one.tag_id}`
    case 'department':
      return `department:${one.department_id}`
    case 'faculty':
      return `faculty:${one.faculty_id}`
    case 'pool':
      return `pool:${one.pool_id}`
    case 'requirement':
      return `requirement:${one.key}`
    default:
      return null
  }
}

export interface Sentences {
  /** "3 credit hours at least from Electives A, each with 2 points at least". */
  of(one: Requirement): string
  /** "Electives A". */
  selector(one: Selector): string
}

const sentences = (t: T<'degree-audit'>, names: Names): Sentences => {
  const selector = (one: Selector): string => {
    const key = nameKey(one)
    const named = key === null ? undefined : names.get(key)
    const name = named ? (one.by === 'course' ? (named.code ?? nameOf(named)) : nameOf(named)) : '…'
    switch (one.by) {
      case 'course':
        return name
      case 'pool':
        return t('sel_pool', { name })
      case 'tag':
        return t('sel_tag', { name })
      case 'department':
        return t('sel_department', { name })
      case 'faculty':
        return t('sel_faculty', { name })
      case 'requirement':
        return t('sel_requirement', { name: named ? nameOf(named) : one.key })
      case 'code':
        return t('sel_code', { pattern: one.pattern })
      case 'level':
        return one.from === one.to
          ? t('sel_level', { level: one.from })
          : t('sel_levels', { from: one.from, to: one.to })
      case 'list':
        return t(`sel_list_${one.list}`)
      case 'any':
        return t('sel_any')
      case 'both': {
        const [first, ...rest] = one.of.map(selector)
        return rest.length
          ? t('sel_both', { first: first ?? '', rest: formatList(rest) })
          : (first ?? t('nothing_chosen'))
      }
    }
  }
  const listed = (list: readonly Selector[]): string => {
    if (!list.length) return t('nothing_chosen')
    // A long list is told by its beginning.
    const shown = list.slice(0, list.length > 9 ? 8 : 9).map(selector)
    return formatList(list.length > 9 ? [...shown, t('and_more', { count: list.length - 8 })] : shown)
  }
  const core = (one: Requirement): string => {
    switch (one.kind) {
      case 'all':
        return t(one.apart ? 's_all_apart' : 's_all')
      case 'some':
        return one.count === 'amounts'
          ? t('s_amounts', { min: formatNumber(one.min) })
          : t('s_some', { count: one.min })
      case 'sum':
        return t(one.unit === 'hours' ? 's_sum_hours' : 's_sum_courses', { count: one.min })
      case 'courses':
        return one.min === 'all'
          ? t('s_courses_all', { courses: listed(one.from) })
          : t(one.unit === 'hours' ? 's_from_hours' : 's_from_courses', { count: one.min, courses: listed(one.from) })
      case 'total':
        return t(`s_total_${one.of}_${one.unit}`, { count: one.min })
      case 'gpa':
        return one.from?.length
          ? t('s_gpa_from', { min: formatNumber(one.min, 2), courses: listed(one.from) })
          : t('s_gpa', { min: formatNumber(one.min, 2) })
      case 'training':
        return t('s_training', { count: one.min })
      case 'hand':
        return t(one.optional ? 's_hand_optional' : 's_hand')
    }
  }
  return {
    selector,
    of(one) {
      const more = [
        ...(one.kind === 'courses' && one.except?.length ? [t('x_except', { courses: listed(one.except) })] : []),
        ...(one.kind === 'courses' && one.min_points !== undefined
          ? [t('x_points', { points: formatNumber(one.min_points, 2) })]
          : []),
        ...(one.max_counted !== undefined ? [t('x_cap', { max: formatNumber(one.max_counted) })] : []),
        ...(one.kind === 'courses' && one.sharing ? [t('x_sharing')] : []),
        ...(one.by_semester !== undefined ? [t('x_semester', { semester: one.by_semester })] : []),
      ]
      // Joined side by side: isolates within isolates would have no direction to go by.
      return [core(one), ...more].join(t('then', { first: '', rest: '' }))
    },
  }
}

/** Requirements as sentences in the reader's language. */
export function useSentences(names: Names): Sentences {
  const t = useT('degree-audit')
  const lang = useLanguage()
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- lists and names follow the language
  return useMemo(() => sentences(t, names), [t, names, lang])
}
