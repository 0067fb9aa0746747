/**
 * The evaluator: where a student stands in a tree of requirements. Pure: the same tree, courses and exceptions give the
 * same answer, whoever asks (`auditTree` for one student; `new Evaluator(compileTree(…))` for many of one program).
 */
import { divideRounded, type Hundredths } from '#areas/study/catalogue/decimal.rules.ts'
import type { ByHand, CoursesOf, GpaOf, Requirement, TotalOf, TrainingOf } from '../requirements/tree.rules.ts'
import { Assigner } from './assign.rules.ts'
import type {
  AuditAnswer,
  AuditStudent,
  AuditUnit,
  By,
  CountedCourse,
  CourseAudit,
  CourseFacts,
  Exception,
  Missing,
  RequirementAudit,
  TakenCourse,
} from './audit.rules.ts'
import { compileTree, COURSE_WEIGHT, type CompiledTree, type TreePlace } from './compile.rules.ts'
import { Progress, type GivenProgress } from './progress.rules.ts'
import type { ContestedCourse } from './contest.rules.ts'
import { type Own, type Seat, cents, beneath, toState, seatId, type Excused, type SeatFacts } from './seats.rules.ts'

/** Audits students against one tree. */
export class Evaluator {
  readonly tree: CompiledTree
  private readonly assigner: Assigner
  private readonly passed: Progress
  private readonly all: Progress
  /** What is missing to whom has nothing. */
  private readonly empty: { needs: number; total: number }

  constructor(tree: CompiledTree) {
    this.tree = tree
    this.assigner = new Assigner(tree)
    this.passed = new Progress(tree)
    this.all = new Progress(tree)
    const none = tree.leaves.map(() => 0)
    this.passed.compute(0, tree.nodes.length, none, new Map(), new Set(), this.assigner.leafAt)
    this.empty = { needs: this.passed.miss[0] ?? 0, total: this.totals((one) => cents(one.min)) }
  }

  audit(student: AuditStudent): AuditAnswer {
    const { tree } = this
    const exceptions = student.exceptions ?? []
    const waived = new Map<number, number>()
    for (const exception of exceptions) {
      const node = tree.byKey.get(exception.key)
      if (exception.kind === 'waive' && node !== undefined) waived.set(node, exception.id)
    }
    const own = this.owned(student, exceptions)
    const seats: Seat[][] = tree.leaves.map(() => [])
    const excused = this.excused(student, own)
    const proved = this.place(own, seats, excused, student.assign ?? 'best', new Set(waived.keys()))

    const covers = (passed: boolean) =>
      seats.map((list, leaf) =>
        list.reduce((sum, seat) => sum + (passed && !seat.own.passed ? 0 : seat.weight), excused.weights[leaf]!),
      )
    const counted = { passed: this.counted(seats, true), all: this.counted(seats, false) }
    const given = {
      passed: this.given(student, own, counted.passed, true),
      all: this.given(student, own, counted.all, false),
    }
    const skip = new Set(waived.keys())
    const { leafAt } = this.assigner
    this.passed.compute(0, tree.nodes.length, covers(true), given.passed, skip, leafAt)
    this.all.compute(0, tree.nodes.length, covers(false), given.all, skip, leafAt)

    const root = this.answer(0, { student, own, seats, waived, given, excused: excused.ids })
    const courses = own.map((one): CourseAudit => {
      const at = new Set(seats.flatMap((list, leaf) => (list.some((seat) => seat.own === one) ? [leaf] : [])))
      const could = [...new Set(one.could.map((place) => place.leaf))].filter((leaf) => !at.has(leaf))
      const key = (leaf: number): string => tree.leaves[leaf]!.one.key
      return {
        course_id: one.course.course_id,
        state: one.passed ? 'passed' : 'in_progress',
        counts_in: [...at].map(key),
        could_count_in: could.toSorted((a, b) => a - b).map(key),
        settled: one.held.size > 0,
      }
    })
    const complete = this.passed.met[0] === 1
    const needs = this.passed.miss[0]!
    const total = this.totals((one, node) =>
      skip.has(node) ? 0 : Math.max(0, cents(one.min) - (given.passed.get(node)?.units ?? 0)),
    )
    const most = Math.max(this.empty.needs, this.empty.total, 1)
    const done = Math.floor((100 * (most - Math.max(needs, total))) / most)
    return {
      root,
      courses,
      state: root.state,
      percent: complete ? 100 : Math.min(Math.max(done, 0), 99),
      proved,
    }
  }

  /** Of what a total asks or lacks in hours, the most: totals overlap. */
  private totals(amount: (one: TotalOf, node: number) => number): number {
    let most = 0
    for (const { one, index } of this.tree.nodes) {
      if (one.kind !== 'total' || one.by_semester !== undefined) continue
      const hours = amount(one, index) * (one.unit === 'hours' ? 1 : COURSE_WEIGHT / 100)
      most = Math.max(most, hours)
    }
    return most
  }

  /** Courses that can count at all: each once, passed ones first, of equal ones in no place of its own but the first. */
  private owned(student: AuditStudent, exceptions: readonly Exception[]): Own[] {
    const { tree } = this
    const latest = new Map<number, TakenCourse>()
    for (const course of student.courses) {
      if (course.state === 'failed' || (latest.get(course.course_id)?.state === 'passed' && course.state !== 'passed'))
        continue
      latest.set(course.course_id, course)
    }
    const ordered = [...latest.values()].toSorted((a, b) => Number(b.state === 'passed') - Number(a.state === 'passed'))
    const counted = new Set<number>()
    const byCourse = Map.groupBy(exceptions, (exception) => ('course_id' in exception ? exception.course_id : 0))
    return ordered.map((course): Own => {
      const repeat = counted.has(course.course_id) || course.equal_ids.some((id) => latest.has(id) && counted.has(id))
      if (!repeat) {
        counted.add(course.course_id)
        for (const id of course.equal_ids) if (latest.has(id)) counted.add(id)
      }
      const enough = ({ leaf }: TreePlace): boolean => {
        const { min_points } = tree.leaves[leaf]!.one
        return min_points === undefined || course.state === 'in_progress' || (course.points ?? -1) >= cents(min_points)
      }
      let could = tree.places(course).filter((place) => (place.slot !== null || !repeat) && enough(place))
      const decided = byCourse.get(course.course_id) ?? []
      const instead = decided.flatMap((one) => (one.kind === 'substitute' ? (this.substitute(one) ?? []) : []))
      const missed = instead.filter((to) => !could.some((place) => place.leaf === to.leaf && place.slot === to.slot))
      if (missed.length) could = [...could, ...missed].toSorted((a, b) => a.leaf - b.leaf)
      const settled = decided.flatMap((one) => (one.kind === 'settle' ? [one.key] : []))
      const within = could.filter(({ leaf }) => settled.some((key) => beneath(this.tree, tree.leaves[leaf]!, key)))
      // What is decided holds where it was decided; elsewhere, where nothing competes with it, the rules do.
      const held = new Map<number, By>([
        ...within.map(({ domain }) => [domain, 'settle'] as const),
        ...instead.map(({ domain }) => [domain, 'substitute'] as const),
      ])
      const elsewhere = could.filter(({ domain }) => !held.has(domain))
      // Without a choice of the evaluator's, a settled course counts where it was settled and where courses are shared.
      const decidedOnly = student.assign === 'certain' && settled.length > 0
      const shared = ({ leaf }: TreePlace): boolean => tree.leaves[leaf]!.sharing
      const open = [...instead, ...within, ...(decidedOnly ? elsewhere.filter(shared) : elsewhere)]
      return { course, passed: course.state === 'passed', could, open, held, repeat }
    })
  }

  private substitute(one: Extract<Exception, { kind: 'substitute' }>): TreePlace | null {
    const leaf = this.tree.leaves.findIndex(
      (candidate) =>
        beneath(this.tree, candidate, one.key) &&
        (one.for_course_id === null ? !candidate.all : candidate.listed.has(one.for_course_id)),
    )
    if (leaf < 0) return null
    return {
      leaf,
      domain: this.tree.nodes[this.tree.leaves[leaf]!.node]!.domain,
      slot: one.for_course_id,
      equal: false,
    }
  }

  /** What a placement excuses from: places of listed courses of which each is asked for, unless the course was taken. */
  private excused(student: AuditStudent, own: readonly Own[]): Excused {
    const had = new Set(own.map(({ course }) => course.course_id))
    const ids = new Set((student.excused_ids ?? []).filter((id) => !had.has(id)))
    const slots = new Set<number>()
    const weights = this.tree.leaves.map((leaf, i) => {
      let sum = 0
      if (leaf.all)
        for (const id of ids) {
          if (!leaf.listed.has(id)) continue
          sum += leaf.listed.get(id)!
          slots.add(i * 2 ** 31 + id)
        }
      return sum
    })
    return { ids, slots, weights }
  }

  /** Puts courses into leaves; tells whether no other way meets more. */
  private place(
    own: readonly Own[],
    seats: Seat[][],
    excused: Excused,
    assign: 'best' | 'certain',
    waived: ReadonlySet<number>,
  ): boolean {
    const { leaves, nodes } = this.tree
    const weigh = (one: Own, place: TreePlace): number => {
      const leaf = leaves[place.leaf]!
      if (leaf.all && place.slot !== null) return leaf.listed.get(place.slot)!
      return nodes[leaf.node]!.each || one.course.credit_hours
    }
    const taken = new Set<number>(excused.slots)
    const sit = (one: Own, place: TreePlace): void => {
      seats[place.leaf]!.push({ own: one, place, weight: weigh(one, place) })
      if (place.slot !== null) taken.add(seatId(place))
    }
    const shut = (place: TreePlace): boolean => nodes[leaves[place.leaf]!.node]!.shut
    // What was decided by hand comes before what follows from the rules.
    for (const one of own)
      for (const [domain, by] of one.held) {
        if (by !== 'substitute') continue
        const place = one.open.find((each) => each.domain === domain)!
        if (!shut(place) && !taken.has(seatId(place))) sit(one, place)
      }
    const left: { own: Own; places: TreePlace[] }[] = []
    for (const one of own) {
      for (const [domain, all] of Map.groupBy(one.open, (place) => place.domain)) {
        if (one.held.get(domain) === 'substitute') continue
        // A place in a requirement that counts nothing keeps a course undecided as well.
        const certain = one.held.has(domain) || new Set(all.map((place) => place.leaf)).size === 1
        if (assign === 'certain' && !certain) continue
        let places = all.filter((place) => !shut(place) && !taken.has(seatId(place)))
        if (assign === 'certain') places = places.slice(0, 1)
        if (places.length) left.push({ own: one, places })
      }
    }
    const wanted = new Map<number, number>()
    for (const { places } of left)
      for (const place of places)
        if (place.slot !== null) wanted.set(seatId(place), (wanted.get(seatId(place)) ?? 0) + 1)
    const choices: ContestedCourse[] = []
    for (const [i, { own: one, places }] of left.entries()) {
      if (places.length === 1 && (wanted.get(seatId(places[0]!)) ?? 1) === 1) sit(one, places[0]!)
      else choices.push({ course: i, passed: one.passed, places, weights: places.map((place) => weigh(one, place)) })
    }
    if (!choices.length) return true
    const sum = (passed: boolean) =>
      seats.map((list, leaf) =>
        list.reduce((all, seat) => all + (passed && !seat.own.passed ? 0 : seat.weight), excused.weights[leaf]!),
      )
    const found = this.assigner.assign(choices, sum(true), sum(false), taken, waived, new Map())
    for (const [i, at] of found.chosen) if (at >= 0) sit(left[i]!.own, left[i]!.places[at]!)
    return found.proved
  }

  /** Hours (and courses, in hundredths) that count somewhere: each course once, and of a cap no more than it allows. */
  private counted(seats: readonly (readonly Seat[])[], passed: boolean): { hours: number; courses: number } {
    const { nodes } = this.tree
    const seen = new Set<Own>()
    const order = [...seats.keys()].toSorted(
      (a, b) => Number(this.tree.leaves[a]!.sharing) - Number(this.tree.leaves[b]!.sharing),
    )
    const hours = new Map<number, number>()
    let courses = 0
    for (const leaf of order) {
      let within = 0
      const { node } = this.tree.leaves[leaf]!
      const room = nodes[node]!.each ? nodes[node]!.cap / COURSE_WEIGHT : Infinity
      let many = 0
      for (const { own } of seats[leaf]!) {
        if ((passed && !own.passed) || seen.has(own) || many >= room) continue
        seen.add(own)
        many++
        within += own.course.credit_hours
      }
      courses += many
      hours.set(node, within)
    }
    const of = (index: number): number => {
      const node = nodes[index]!
      const sum = node.leaf ? (hours.get(index) ?? 0) : node.parts.reduce((all, part) => all + of(part), 0)
      return node.each ? sum : Math.min(sum, node.cap)
    }
    return { hours: nodes.length ? of(0) : 0, courses: courses * 100 }
  }

  private given(
    student: AuditStudent,
    own: readonly Own[],
    counted: { hours: number; courses: number },
    passed: boolean,
  ): Map<number, GivenProgress> {
    const found = new Map<number, GivenProgress>()
    for (const { one, index } of this.tree.nodes) {
      if (one.kind === 'total') {
        let units = one.unit === 'hours' ? counted.hours : counted.courses
        if (one.of === 'passed' || one.by_semester !== undefined) {
          const until = one.by_semester ?? Infinity
          const in_time = own.filter(
            (each) =>
              (each.passed || !passed) &&
              !each.repeat &&
              (each.course.semester ?? (until === Infinity ? 1 : Infinity)) <= until,
          )
          units =
            one.unit === 'hours'
              ? in_time.reduce((sum, { course }) => sum + course.credit_hours, 0)
              : in_time.length * 100
        }
        found.set(index, { met: units >= cents(one.min), units })
      } else if (one.kind === 'gpa') {
        const gpa = this.gpa(one, student)
        found.set(index, { met: one.min === 0 || (gpa !== null && gpa >= cents(one.min)), units: 100 })
      } else if (one.kind === 'training') {
        const weeks = (student.training_weeks ?? 0) * 100
        found.set(index, { met: weeks >= one.min * 100, units: weeks })
      } else if (one.kind === 'hand') found.set(index, { met: one.optional ?? false, units: 0 })
    }
    return found
  }

  private gpa(one: GpaOf, student: AuditStudent): Hundredths | null {
    if (!one.from) return student.gpa ?? null
    let points = 0
    let hours = 0
    for (const course of student.courses) {
      if (course.state === 'in_progress' || !course.counts_in_gpa || course.points === null) continue
      if (!this.tree.inGpa(one, course)) continue
      points += course.points * course.credit_hours
      hours += course.credit_hours
    }
    return hours === 0 ? null : divideRounded(points, hours)
  }

  // --- Answer -------------------------------------------------------------------------------------------------------

  private answer(index: number, facts: SeatFacts): RequirementAudit {
    const node = this.tree.nodes[index]!
    const { one } = node
    const base: RequirementAudit = {
      key: one.key,
      kind: one.kind,
      state: toState(this.passed.met[index] === 1, this.all.met[index] === 1),
      unit: 'unit' in one ? one.unit : 'parts',
      required: 0,
      earned: 0,
      in_progress: 0,
      counted: 0,
      courses: [],
      could: [],
      listed: [],
      missing: [],
      late: false,
      waived_by: facts.waived.get(index) ?? null,
      parts: node.parts.map((part) => this.answer(part, facts)),
    }
    if (one.kind === 'courses') this.ofCourses(base, one, index, facts)
    else if (one.kind === 'all' || one.kind === 'some' || one.kind === 'sum') this.ofParts(base, one, index)
    else this.ofGiven(base, one, index, facts)
    if (base.state !== 'missing') base.missing = []
    base.counted = Math.min(
      base.earned + base.in_progress,
      one.max_counted === undefined ? Infinity : cents(one.max_counted),
    )
    base.late = base.state !== 'met' && one.by_semester !== undefined && (facts.student.semester ?? 0) > one.by_semester
    return base
  }

  private ofCourses(base: RequirementAudit, one: CoursesOf, index: number, facts: SeatFacts): void {
    const { own, seats, student } = facts
    const at = this.assigner.leafAt.get(index)!
    const leaf = this.tree.leaves[at]!
    const node = this.tree.nodes[index]!
    const amount = (seat: Seat): number => (node.each ? 100 : seat.own.course.credit_hours)
    const list = seats[at]!.toSorted((a, b) => Number(b.own.passed) - Number(a.own.passed))
    let filled = [...facts.excused].reduce((sum, id) => sum + (leaf.all ? (leaf.listed.get(id) ?? 0) : 0), 0)
    base.courses = list.map((seat): CountedCourse => {
      const surplus = filled >= node.need
      filled += seat.weight
      return {
        course_id: seat.own.course.course_id,
        state: seat.own.passed ? 'passed' : 'in_progress',
        by: seat.own.held.get(seat.place.domain) ?? 'rule',
        for_course_id: seat.place.slot,
        surplus,
      }
    })
    base.earned = list.reduce((sum, seat) => sum + (seat.own.passed ? amount(seat) : 0), 0)
    base.in_progress = list.reduce((sum, seat) => sum + (seat.own.passed ? 0 : amount(seat)), 0)
    const asked = [...leaf.listed.keys()].filter((id) => !leaf.all || !facts.excused.has(id))
    base.required = leaf.all
      ? node.each
        ? asked.length * 100
        : asked.reduce((sum, id) => sum + (this.tree.facts.get(id)?.credit_hours ?? COURSE_WEIGHT), 0)
      : cents(one.min as number)
    const here = new Set(list.map((seat) => seat.own))
    base.could = own
      .filter((each) => !here.has(each) && each.could.some((place) => place.leaf === at))
      .map((each) => each.course.course_id)
    const by = new Map(list.flatMap((seat) => (seat.place.slot === null ? [] : [[seat.place.slot, seat.own]])))
    base.listed = [...leaf.listed.keys()].map((course_id) => {
      const seat = by.get(course_id)
      const excused = facts.excused.has(course_id)
      return {
        course_id,
        state: toState(seat?.passed ?? (leaf.all && excused), seat !== undefined),
        satisfied_by: seat?.course.course_id ?? null,
        ...(excused && { excused }),
      }
    })
    const lacking = this.all.miss[index]!
    if (leaf.all) {
      const open = base.listed.filter(({ state }) => state === 'missing').map(({ course_id }) => course_id)
      if (open.length) base.missing.push({ code: 'missing_listed', data: { courses: open } })
    } else if (lacking > 0) {
      base.missing.push(
        node.each
          ? { code: 'missing_courses', data: { count: Math.ceil(lacking / COURSE_WEIGHT) } }
          : { code: 'missing_hours', data: { hours: lacking / 100 } },
      )
    }
    if (one.min_points === undefined) return
    const low = student.courses.filter(
      (course) =>
        course.state === 'passed' &&
        (course.points ?? -1) < cents(one.min_points!) &&
        this.tree.places(course).some((place) => place.leaf === at) &&
        !own.some((each) => here.has(each) && each.course.course_id === course.course_id),
    )
    if (low.length)
      base.missing.push({
        code: 'missing_grade',
        data: { courses: [...new Set(low.map((course) => course.course_id))], min_points: one.min_points },
      })
  }

  private ofParts(base: RequirementAudit, one: Requirement, index: number): void {
    const node = this.tree.nodes[index]!
    if (one.kind === 'sum') {
      const amount = (progress: Progress): number => progress.units[index]!
      base.required = cents(one.min)
      base.earned = amount(this.passed)
      base.in_progress = amount(this.all) - base.earned
      const parts = node.parts.reduce((sum, part) => sum + this.all.miss[part]!, 0)
      const open = this.all.miss[index]! - parts
      if (open > 0)
        base.missing.push(
          node.each
            ? { code: 'missing_courses', data: { count: Math.ceil(open / COURSE_WEIGHT) } }
            : { code: 'missing_hours', data: { hours: open / 100 } },
        )
      return
    }
    const amounts = one.kind === 'some' && one.count === 'amounts'
    const count = (progress: Progress): number =>
      amounts ? progress.units[index]! : node.parts.reduce((sum, part) => sum + (progress.met[part] ? 100 : 0), 0)
    base.required = one.kind === 'some' ? cents(one.min) : node.parts.length * 100
    base.earned = count(this.passed)
    base.in_progress = Math.max(0, count(this.all) - base.earned)
    const open = base.required - base.earned - base.in_progress
    if (one.kind === 'some' && open > 0)
      base.missing.push({ code: 'missing_parts', data: { count: Math.ceil(open / 100) } })
  }

  private ofGiven(
    base: RequirementAudit,
    one: TotalOf | GpaOf | TrainingOf | ByHand,
    index: number,
    { student, given }: SeatFacts,
  ): void {
    const say = (unit: AuditUnit, required: number, earned: number, missing: Missing | null): void => {
      Object.assign(base, { unit, required, earned })
      if (missing) base.missing.push(missing)
    }
    const earned = given.passed.get(index)!.units
    if (one.kind === 'total') {
      base.in_progress = given.all.get(index)!.units - earned
      const open = cents(one.min) - earned - base.in_progress
      const missing: Missing =
        one.unit === 'hours'
          ? { code: 'missing_hours', data: { hours: open / 100 } }
          : { code: 'missing_courses', data: { count: Math.ceil(open / 100) } }
      say(one.unit, cents(one.min), earned, open > 0 ? missing : null)
    } else if (one.kind === 'gpa') {
      const gpa = this.gpa(one, student)
      const required = one.min.toFixed(2)
      say(
        'gpa',
        cents(one.min),
        gpa ?? 0,
        gpa === null
          ? { code: 'missing_gpa_none', data: { required } }
          : { code: 'missing_gpa', data: { actual: (gpa / 100).toFixed(2), required } },
      )
    } else if (one.kind === 'training') {
      say('weeks', one.min * 100, earned, {
        code: 'missing_weeks',
        data: { weeks: Math.max(0, one.min - earned / 100) },
      })
    } else {
      say('hand', one.optional ? 0 : 100, base.waived_by === null ? 0 : 100, { code: 'missing_by_hand', data: {} })
    }
  }
}

/** Audits one student against a tree. For many students of a program keep the evaluator. */
export function auditTree(tree: Requirement, catalogue: Iterable<CourseFacts>, student: AuditStudent): AuditAnswer {
  return new Evaluator(compileTree(tree, catalogue)).audit(student)
}
