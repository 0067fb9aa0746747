import type { Method } from './call.ts'
import type { Reason } from './issues.ts'
import type { Label } from './words.ts'
import { beginsIn, type State, type Workflow } from './workflow.ts'

/**
 * A way to reach a state: a call by method and path, any step of a workflow, a job, or whatever requests with a fee
 * do.
 */
export type Door =
  | `${Exclude<Method, 'GET'>} /${string}`
  | { readonly steps: string }
  | { readonly job: string }
  | { readonly fees: 'of requests' }

/** A state, and the one function that leads there. */
export interface OwnedState {
  readonly label: Label
  /** Whose step it is, after “only … makes it”: “the dean’s decision on an exam investigation”. Without commas. */
  readonly owner: Label
  /** Screen on which it is done. */
  readonly screen?: string
  /** Everything that leads there: it goes through the function, or is it. */
  readonly doors: readonly Door[]
  /** Everything that leads out of it again, where that is the owner's as well. */
  readonly left?: readonly Door[]
}

/** The state of a row that no longer exists. */
export const GONE = 'gone'

/**
 * The states that rows of a table can have, and the owner of each: the one function that leads there. Anything else
 * that could reach a state goes through that function, or is refused with its name (`ownedReason`). `GONE` means that
 * the row is deleted. `tests/owners.test.ts` makes every writing call and compares every change of state with this.
 */
export interface Owned<S extends string = string> {
  readonly name: string
  /** What it is, in the singular. */
  readonly one: Label
  readonly table: string
  /** SQL of the state of a row `t` of the table: one of `states`. What it reads of other tables is as they stand. */
  readonly state: string
  /** Tables besides whose rows decide the state, each with the column that names the row. */
  readonly from?: Readonly<Record<string, string>>
  /** SQL: whether what was decided of a row `t` stands. Without it (a row as another system kept it) any step leads on. */
  readonly stands?: string
  readonly states: { readonly [K in S]: OwnedState }
}

/** Declares who owns the states of a table; an area lists it in `owners`. */
export const owned = <const S extends string>(definition: Owned<S>): Owned<S> => definition

/** The steps of a workflow, and where its records begin, own the states of its table. */
export const ownedByFlow = (flow: Workflow, table: string, state: string): Owned => ({
  name: flow.name,
  one: flow.one,
  table,
  state,
  states: Object.fromEntries(
    flow.states.map(({ value, label }: State): [string, OwnedState] => [
      value,
      {
        label,
        owner: flow.one,
        doors: [{ steps: flow.name }, ...(flow.madeBy && value === beginsIn(flow) ? [{ steps: flow.madeBy }] : [])],
      },
    ]),
  ),
})

/**
 * Why a state cannot be set or removed in this way: whose step it is, and on which screen.
 *
 * @param what names the record, if there may be several
 */
export const ownedReason = <S extends string>(
  of: Owned<S>,
  state: S,
  what: { readonly name: string; readonly name_local?: string },
  field: string | null = null,
): Reason => {
  const { label, owner, screen } = of.states[state]
  return {
    field,
    code: 'state_owned',
    data: {
      what: what.name,
      ...(what.name_local !== undefined && { what_local: what.name_local }),
      state: label[0],
      state_local: label[1],
      owner: owner[0],
      owner_local: owner[1],
      ...(screen && { link: screen }),
    },
  }
}
