/** An audit as it travels: names beside keys, hours and points as decimals, what is missing in words. */
import { missingTexts } from '../requirements/texts.contract.ts'
import { walk, type Requirement } from '../requirements/tree.rules.ts'
import { fill } from '#areas/common/academics/problem.rules.ts'
import type { AuditAnswer, Missing, RequirementAudit } from './audit.rules.ts'
import type { AuditedRequirement } from './audit.contract.ts'
import type { CourseName } from './required.server.ts'

/** What is missing, in words. */
export function missingProblem({ code, data }: Missing, names: (id: number) => CourseName | undefined) {
  const courses = Array.isArray(data.courses) ? data.courses.map((id) => names(id)?.code ?? String(id)).join(', ') : ''
  const said = { ...data, ...(courses && { courses }) }
  const [en, ar] = missingTexts[code]
  return { field: null, code, en: fill(en, said), ar: fill(ar, said), data: said }
}

/** An answer with the names of its tree. */
export function auditToWire(
  tree: Requirement,
  answer: AuditAnswer,
  names: (id: number) => CourseName | undefined,
): AuditedRequirement {
  const byKey = new Map([...walk(tree)].map(([, one]) => [one.key, one]))
  const course = (id: number): CourseName =>
    names(id) ?? { id, code: String(id), name: String(id), name_local: String(id), credit_hours: 0 }
  const write = (audit: RequirementAudit): AuditedRequirement => {
    const one = byKey.get(audit.key)!
    return {
      key: audit.key,
      kind: audit.kind,
      name: one.name,
      name_local: one.name_local,
      note: one.note ?? null,
      note_local: one.note_local ?? null,
      state: audit.state,
      unit: audit.unit,
      required: audit.required / 100,
      earned: audit.earned / 100,
      in_progress: audit.in_progress / 100,
      counted: audit.counted / 100,
      max_counted: one.max_counted ?? null,
      by_semester: one.by_semester ?? null,
      courses: audit.courses.map(({ course_id, ...rest }) => ({ course: course(course_id), ...rest })),
      could: audit.could.map(course),
      listed: audit.listed.map(({ course_id, excused = false, ...rest }) => ({
        course: course(course_id),
        ...rest,
        excused,
      })),
      missing: audit.missing.map((missing) => missingProblem(missing, names)),
      late: audit.late,
      waived_by: audit.waived_by,
      parts: audit.parts.map(write),
    }
  }
  return write(answer.root)
}

/** Requirements that lack something, each with what: the ones deepest in the tree, not those that contain them. */
export function missingOf(
  tree: Requirement,
  answer: AuditAnswer,
): { key: string; name: string; name_local: string; missing: Missing[] }[] {
  const byKey = new Map([...walk(tree)].map(([, one]) => [one.key, one]))
  const found: { key: string; name: string; name_local: string; missing: Missing[] }[] = []
  const collect = (audit: RequirementAudit): void => {
    if (audit.state === 'met') return
    const { name, name_local } = byKey.get(audit.key)!
    // Of alternatives of which none is met, that one is missing is enough to say.
    if (audit.missing.length) found.push({ key: audit.key, name, name_local, missing: audit.missing })
    if (audit.kind !== 'some') audit.parts.forEach(collect)
  }
  collect(answer.root)
  return found
}
