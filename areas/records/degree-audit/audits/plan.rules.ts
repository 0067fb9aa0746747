/**
 * What a program requires, as one tree: its study plan, the hours, GPA and training that graduation asks for, and the
 * requirements that its bylaw and the program itself add or put in place of the plan.
 */
import type { Hundredths } from '#areas/study/catalogue/decimal.rules.ts'
import type { PlanGroup, StudyPlan } from '#areas/study/catalogue/study-plan.rules.ts'
import { PLAN_KINDS } from '#areas/study/catalogue/words.contract.ts'
import { requirementPartsOf, type Requirement, type Selector, type TreeMode } from '../requirements/tree.rules.ts'
import type { AuditAnswer, AuditState, CourseFacts, RequirementAudit, TakenCourse } from './audit.rules.ts'
import { compileTree } from './compile.rules.ts'
import { Evaluator } from './evaluate.rules.ts'

/** A tree of its own, of a bylaw or a program. */
export interface OwnTree {
  mode: TreeMode
  tree: Requirement
}

/** Everything that a program requires. */
export interface ProgramRequirements {
  /** `min_credit_hours` are those of the degree. */
  plan: StudyPlan
  min_gpa: Hundredths
  min_training_weeks: number
  bylaw?: OwnTree | null
  program?: OwnTree | null
  /** Names of elective pools by their ids. */
  pools?: ReadonlyMap<number, { name: string; name_local: string }>
}

/** Keys of what every program has. Those of trees of their own begin with `bylaw.` and `program.`. */
export const PLAN_KEYS = {
  root: 'degree',
  plan: 'plan',
  hours: 'hours',
  gpa: 'gpa',
  training: 'training',
} as const
/** The key of a group of the study plan. */
export const groupKey = (group: Pick<PlanGroup, 'id' | 'kind'>): string =>
  group.kind === 'elective' ? `plan.pool.${group.id}` : `plan.${group.kind}`

const kindNames = new Map(PLAN_KINDS.map(({ value, label }) => [value as string, label]))

/** A tree whose keys say whose it is. */
function under(whose: 'bylaw' | 'program', one: Requirement): Requirement {
  const key = (own: string): string => `${whose}.${own}`
  const selectors = (list: readonly Selector[]): Selector[] =>
    list.map((selector) =>
      selector.by === 'requirement'
        ? { ...selector, key: key(selector.key) }
        : selector.by === 'both'
          ? { ...selector, of: selectors(selector.of) }
          : selector,
    )
  const renamed = { ...one, key: key(one.key) }
  if ('parts' in renamed) renamed.parts = requirementPartsOf(one).map((part) => under(whose, part))
  if ('from' in renamed && renamed.from) renamed.from = selectors(renamed.from)
  if ('except' in renamed && renamed.except) renamed.except = selectors(renamed.except)
  return renamed
}

/**
 * The tree of a program. A course counts once in the plan, and once in each tree of its own: what they add is asked of the
 * same courses. With `mode: replaces` the groups of the plan are not asked for; hours, GPA and training always are.
 */
export function programTree(input: ProgramRequirements): Requirement {
  const { plan, bylaw, program } = input
  const replaced = bylaw?.mode === 'replaces' || program?.mode === 'replaces'
  const groups = plan.groups.map((group): Requirement => {
    const named = input.pools?.get(group.id)
    const [name, name_local] = named ? [named.name, named.name_local] : kindNames.get(group.kind)!
    const ids = plan.courses.flatMap((course) => (course.group_id === group.id ? [course.course_id] : []))
    return {
      kind: 'courses',
      key: groupKey(group),
      name,
      name_local,
      unit: 'hours',
      min: group.min_credit_hours === null ? 'all' : group.min_credit_hours / 100,
      from: ids.map((course_id) => ({ by: 'course', course_id })),
    }
  })
  const own = [bylaw && under('bylaw', bylaw.tree), program && under('program', program.tree)].filter((one) => !!one)
  const bare = plan.courses.length === 0 && own.length === 0
  return {
    kind: 'all',
    key: PLAN_KEYS.root,
    name: 'Degree',
    name_local: 'الدرجة',
    apart: true,
    parts: [
      ...(replaced
        ? []
        : [
            {
              kind: 'all' as const,
              key: PLAN_KEYS.plan,
              name: 'Study plan',
              name_local: 'الخطة الدراسية',
              parts: groups,
            },
          ]),
      ...own,
      {
        kind: 'total',
        key: PLAN_KEYS.hours,
        name: 'Credit hours',
        name_local: 'الساعات المعتمدة',
        unit: 'hours',
        min: plan.min_credit_hours / 100,
        // Without a plan nothing says which courses are asked for: each counts.
        of: bare ? 'passed' : 'counted',
      },
      {
        kind: 'gpa',
        key: PLAN_KEYS.gpa,
        name: 'Cumulative GPA',
        name_local: 'المعدل التراكمي',
        min: input.min_gpa / 100,
      },
      {
        kind: 'training',
        key: PLAN_KEYS.training,
        name: 'Weeks of training',
        name_local: 'أسابيع التدريب',
        min: input.min_training_weeks,
      },
    ],
  }
}

/** What the plan says of its courses; `more` are facts of the catalogue, which hold where the plan has no others. */
export function planFacts(plan: StudyPlan, more: Iterable<CourseFacts> = []): CourseFacts[] {
  const known = new Map([...more].map((course) => [course.course_id, course]))
  const groups = new Map(plan.groups.map((group) => [group.id, group]))
  for (const course of plan.courses) {
    const group = groups.get(course.group_id)
    const before = known.get(course.course_id)
    // Set again, so that they stand in the order of the plan, before all others.
    known.delete(course.course_id)
    known.set(course.course_id, {
      codes: [],
      ...before,
      course_id: course.course_id,
      credit_hours: course.credit_hours,
      level: course.level,
      list: group?.kind ?? null,
      pool_id: group?.kind === 'elective' ? group.id : null,
    })
  }
  return [...known.values()]
}

// --- The audit of a plan ----------------------------------------------------------------------------------------------

/** A course of the student; `equal_ids` are the courses it counts as. The best state of each course is used. */
export type AuditCourse = Pick<TakenCourse, 'course_id' | 'credit_hours'> & {
  state: 'passed' | 'in_progress'
  equal_ids: number[]
}

/** A requirement in numbers; `in_progress` is what the courses now being taken would add. */
export type AuditAmount = { required: number; earned: number; in_progress: number; state: AuditState }

/** A course of the plan and the student's course that satisfies it (itself or an equal one), null where none does. */
export type AuditPlanCourse = { course_id: number; state: AuditState; satisfied_by: number | null; excused?: true }

/** For a group without minimum the required hours are those of all its courses, and every course must be met. */
export type AuditGroup = AuditAmount & { id: number; kind: PlanGroup['kind']; courses: AuditPlanCourse[] }

/** An audit as the study plan shows it. */
export type DegreeAudit = {
  groups: AuditGroup[]
  hours: AuditAmount
  gpa: { required: Hundredths; actual: Hundredths | null; state: 'met' | 'missing' }
  training: AuditAmount
  /** Requirements of the bylaw's and the program's own trees that are not met. */
  open: number
  /** Courses of the student that count nowhere: their hours do not count, unless nothing says which do. */
  other: { course_id: number; state: AuditCourse['state'] }[]
  complete: boolean
}

const amountOf = ({ required, earned, in_progress, state }: RequirementAudit): AuditAmount => ({
  required,
  earned,
  in_progress,
  state,
})

/** What an audit of `programTree` says of the study plan. */
export function toDegreeAudit(input: ProgramRequirements, answer: AuditAnswer, gpa: Hundredths | null): DegreeAudit {
  const parts = new Map(answer.root.parts.map((part) => [part.key, part]))
  const groups = new Map(parts.get(PLAN_KEYS.plan)?.parts.map((part) => [part.key, part]))
  const training = amountOf(parts.get(PLAN_KEYS.training)!)
  const counts = new Set(
    answer.courses.filter((course) => course.counts_in.length > 0).map((course) => course.course_id),
  )
  return {
    groups: input.plan.groups.flatMap((group): AuditGroup[] => {
      const found = groups.get(groupKey(group))
      return found ? [{ id: group.id, kind: group.kind, ...amountOf(found), courses: found.listed }] : []
    }),
    hours: amountOf(parts.get(PLAN_KEYS.hours)!),
    gpa: {
      required: input.min_gpa,
      actual: gpa,
      state: parts.get(PLAN_KEYS.gpa)!.state === 'met' ? 'met' : 'missing',
    },
    training: { ...training, required: training.required / 100, earned: training.earned / 100 },
    open: answer.root.parts.filter(({ key, state }) => /^(bylaw|program)\./.test(key) && state !== 'met').length,
    other: answer.courses
      .filter((course) => !counts.has(course.course_id))
      .map(({ course_id, state }) => ({ course_id, state })),
    complete: answer.state === 'met',
  }
}

/** Students of one program, audited one after the other. */
export class ProgramAuditor {
  readonly input: ProgramRequirements
  readonly tree: Requirement
  readonly evaluator: Evaluator
  constructor(input: ProgramRequirements, facts: Iterable<CourseFacts> = []) {
    this.input = input
    this.tree = programTree(input)
    this.evaluator = new Evaluator(compileTree(this.tree, planFacts(input.plan, facts)))
  }
}

/** The audit of a student against a study plan alone. */
export function auditDegree(input: {
  plan: StudyPlan
  courses: readonly AuditCourse[]
  /** Cumulative GPA, null before the first result; and what graduation asks for. */
  gpa: Hundredths | null
  min_gpa: Hundredths
  training_weeks: number
  min_training_weeks: number
}): DegreeAudit {
  const { plan, min_gpa, min_training_weeks, gpa, training_weeks } = input
  const auditor = new ProgramAuditor({ plan, min_gpa, min_training_weeks })
  const courses = input.courses.map((course) => takenOf(course))
  return toDegreeAudit(auditor.input, auditor.evaluator.audit({ courses, gpa, training_weeks }), gpa)
}

/** A course of which nothing is known but what a study plan asks for. */
export const takenOf = (course: AuditCourse): TakenCourse => ({
  codes: [],
  points: null,
  counts_in_gpa: false,
  ...course,
})
