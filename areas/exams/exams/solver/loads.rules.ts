import type { Plan } from './plan.rules.ts'

/**
 * What each student bears, for the wish that nobody has it much worse than others. `cost` is the weight times the worst
 * load, less what tells the search that it is on the way: of many who have it worst, each that is relieved counts.
 */
export class Loads {
  private readonly plan: Plan
  private readonly weight: number
  private readonly load: Int32Array
  private worst = 0
  private atWorst = 0
  cost: number
  // The change that was judged last.
  private readonly touched: Int32Array
  private readonly newLoad: Int32Array
  private readonly mark: Int32Array
  private stamp = 0
  private n = 0
  private nextWorst = 0
  private nextAtWorst = 0

  constructor(plan: Plan) {
    const students = plan.model.takesFrom.length - 1
    this.plan = plan
    this.weight = plan.model.problem.weights.worst
    this.load = new Int32Array(students)
    this.touched = new Int32Array(students)
    this.newLoad = new Int32Array(students)
    this.mark = new Int32Array(students)
    for (let student = 0; student < students; student += 1) this.load[student] = this.of(student, plan.slotOf)
    this.survey()
    this.cost = this.priced(this.worst, this.atWorst)
  }

  private of(student: number, slotOf: Int32Array): number {
    const { S, pair, takesFrom, takes } = this.plan.model
    const end = takesFrom[student + 1]!
    let sum = 0
    for (let i = takesFrom[student]!; i < end; i += 1) {
      const a = slotOf[takes[i]!]!
      if (a < 0) continue
      for (let j = i + 1; j < end; j += 1) {
        const b = slotOf[takes[j]!]!
        if (b >= 0) sum += pair[a * S + b]!
      }
    }
    return sum
  }

  private survey(): void {
    this.worst = 0
    this.atWorst = 0
    for (const load of this.load) {
      if (load > this.worst) {
        this.worst = load
        this.atWorst = 1
      } else if (load === this.worst) this.atWorst += 1
    }
  }

  private priced(worst: number, students: number): number {
    return worst === 0 ? 0 : this.weight * (worst - 1 + students / Math.max(1, this.load.length))
  }

  /** By how much the cost changes with the units moved; `next` is where all units then are. */
  change(moved: Int32Array, n: number, next: Int32Array): number {
    const { writersFrom, writers } = this.plan.model
    const { load, touched, newLoad, mark } = this
    const stamp = (this.stamp += 1)
    let count = 0
    let worstTouched = 0
    let relieved = 0
    for (let i = 0; i < n; i += 1) {
      const unit = moved[i]!
      for (let k = writersFrom[unit]!; k < writersFrom[unit + 1]!; k += 1) {
        const student = writers[k]!
        if (mark[student] === stamp) continue
        mark[student] = stamp
        const then = this.of(student, next)
        touched[count] = student
        newLoad[count] = then
        count += 1
        if (load[student] === this.worst) relieved += 1
        if (then > worstTouched) worstTouched = then
      }
    }
    this.n = count
    let worst = this.worst
    let atWorst = this.atWorst - relieved
    if (worstTouched > worst) {
      worst = worstTouched
      atWorst = 0
    } else if (atWorst === 0 && worstTouched < worst) {
      worst = worstTouched
      for (let student = 0; student < load.length; student += 1) {
        if (mark[student] === stamp) continue
        if (load[student]! > worst) {
          worst = load[student]!
          atWorst = 1
        } else if (load[student] === worst) atWorst += 1
      }
    }
    if (worstTouched === worst) for (let i = 0; i < count; i += 1) if (newLoad[i] === worst) atWorst += 1
    this.nextWorst = worst
    this.nextAtWorst = atWorst
    return this.priced(worst, atWorst) - this.cost
  }

  /** The change judged last is made. */
  keep(): void {
    for (let i = 0; i < this.n; i += 1) this.load[this.touched[i]!] = this.newLoad[i]!
    this.worst = this.nextWorst
    this.atWorst = this.nextAtWorst
    this.cost = this.priced(this.worst, this.atWorst)
  }
}
