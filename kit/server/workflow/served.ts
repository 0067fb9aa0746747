/** How a workflow is served: what an area says of it, and what it gives to others. */
import type { RawBuilder } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Units } from '#access/holders.server.ts'
import type { Workflow, WorkflowCalls } from '#kit/contract/workflow.ts'
import type { Problem } from '#kit/contract/index.ts'
import type { Ctx, Handled } from '../base/context.ts'
import type { Reason, Refusal } from '../base/errors.ts'
import type { ScopeParts } from '../base/scope.ts'
import type { JobDefinition } from '../jobs/jobs.ts'

/** A record that a step has taken from one state to another. */
export interface Moved<S extends string = string, A extends string = string> {
  readonly id: number
  readonly name: string
  readonly action: A
  readonly from: S
  readonly to: S
  readonly reason: string | null
}

/** How a workflow is served: where its records are, and what is theirs alone. In all SQL the record is `t`. */
export interface WorkflowOptions<S extends string, A extends string, Facts> {
  /** Table of the records, with `id` and `version`. */
  readonly table: string
  readonly scope: 'university' | ((ctx: Ctx) => ScopeParts)
  /** Keys that bind a record elsewhere than the scope says: of two parts of the university that it lies between, one. */
  readonly bound?: (ctx: Ctx) => Readonly<Partial<Record<PermissionKey, ScopeParts>>>
  /** SQL of the parts of the university that a record belongs to, where the scope does not give them as columns: who has it next. */
  readonly units?: (ctx: Ctx) => Units
  /** SQL of the account of who advises the person concerned, where records are reached by that: who has it next. */
  readonly advisor?: RawBuilder<unknown> | undefined
  /** SQL of who has the record `t` next, as `holdersSql` gives it, where the right alone does not say whose turn it is. */
  readonly holders?: RawBuilder<unknown>
  /** Keys by which a record is seen though no step is taken: who sees it hears what is missing, not that it is not there. */
  readonly seen?: readonly PermissionKey[]
  /** SQL of what a record is called, where several are told of. */
  readonly nameOf: string
  /** SQL of the records that take steps; of others it is said that they are removed. Those not removed unless told. */
  readonly where?: string
  /** Where the state is not a column named like the workflow's field: SQL that gives it, and how it is written. */
  readonly state?: {
    readonly read: string
    readonly write: (ctx: Ctx, tx: Tx, moved: readonly Moved<S, A>[], progress?: Percent) => Promise<void>
  }
  /** Of actions that are `long`: whether this record's takes so long that a job takes it. The area lists `job` among its jobs. */
  readonly heavy?: (ctx: Ctx, tx: Tx, id: number, action: A) => Promise<boolean>
  /**
   * Whether a record is the own one of these people (ids of users, as SQL): whom it concerns. Whoever entered it
   * (`begin`) counts as well. Absent: nobody's.
   */
  readonly own?: (people: RawBuilder<unknown>) => RawBuilder<unknown>
  /** Entering is an officer's work on somebody else's behalf, not a request: whoever entered a record may decide on it. */
  readonly enteredByOfficer?: boolean
  /**
   * What the rule of an action looks at, of all records at once: those with which the person may take it. They are locked;
   * what follows from them anyhow may be brought up to date here.
   */
  readonly facts?: (ctx: Ctx, tx: Tx, ids: readonly number[], action: A) => Promise<ReadonlyMap<number, Facts>>
  /** Of these records, those for which the window of a stage is closed, and why. */
  readonly closed?: (ctx: Ctx, tx: Tx, window: string, ids: readonly number[]) => Promise<ReadonlyMap<number, Reason>>
  /** What a step changes elsewhere, in the same unit of work; it may take steps of other workflows. Throw to refuse. */
  readonly effect?: (ctx: Ctx, tx: Tx, moved: readonly Moved<S, A>[]) => Promise<void>
  /**
   * Who is told, as SQL of a list of users' ids; what the notice says besides, as SQL of a JSON object; and the record of a
   * student that it is about, as SQL of its id.
   */
  readonly tells?: {
    readonly users: string
    readonly data?: string
    /** What is told to those for whom it waits, and where that leads: what waits together. Else as the others are told. */
    readonly waiting?: { readonly data: string; readonly link: string }
    readonly student?: string
    readonly link?: (id: number) => string
  }
}

/** Tells how far a step is, of a hundred. */
export type Percent = (percent: number) => Promise<void>
/** A step that a job takes, with the version that was seen: what changes until it begins stops it. */
export interface LongStep {
  readonly id: number
  readonly action: string
  readonly reason: string | null
  readonly version: number
}

/** A step that a job takes with many. */
export interface ManySteps {
  readonly ids: readonly number[]
  readonly action: string
  readonly reason: string | null
  /** When it was asked for: what its person has taken of it since is not taken again. */
  readonly since: string
}

export interface StepOptions {
  readonly reason?: string | null | undefined
  /** The version seen; another one is refused. */
  readonly version?: number | undefined
  readonly progress?: Percent | undefined
}

/** What the reader may do with a row, and why other actions of its state are not allowed. */
export interface Open<A extends string> {
  readonly abilities: A[]
  readonly refused: Partial<Record<A, Problem>>
}

/** A workflow that is served. */
export interface ServedWorkflow<S extends string = string, A extends string = string, Facts = unknown> {
  readonly flow: Workflow<string, S, A>
  readonly calls: WorkflowCalls<A>
  readonly table: string
  /** SQL of the state of the record `t`. */
  readonly reads: string
  readonly handlers: readonly Handled[]
  /** Takes the steps that are long. */
  readonly job: JobDefinition<LongStep, { readonly id: number; readonly state: S }>
  /** Takes steps with many at once, where there are more than the action says. */
  readonly manyJob: JobDefinition<ManySteps, Taken>
  /**
   * Takes a step with one record: also from another workflow's effect, a job or a payment.
   * @throws {Refusal} 404 out of reach; 403 without the permission here, or one's own; 409 the state or the rule does not
   * permit it; 422 without its reason
   */
  take(ctx: Ctx, id: number, action: A, options?: StepOptions): Promise<Moved<S, A> & { readonly version: number }>
  /** The same with many: each succeeds or fails by itself. */
  takeEach(ctx: Ctx, ids: readonly number[], action: A, options?: StepOptions): Promise<Taken>
  /** A record has begun its way: who entered it stands first in its history, and does not decide on it. */
  begin(ctx: Ctx, tx: Tx, id: number, state: S, options?: { action?: string; reason?: string | null }): Promise<void>
  /** SQL of the records `t` that wait for the reader: their state, the right to go on from it, its reach, and not the own ones. */
  waiting(ctx: Ctx): RawBuilder<unknown>
  /** SQL of what `open` needs of a row, as one column of a list. */
  column(ctx: Ctx): RawBuilder<unknown>
  /** The actions open to the reader. With facts also those that the rule refuses, each with its reason. */
  open(ctx: Ctx, state: S, column: Held, facts?: Facts): Open<A>
}

/** What became of each of many. */
export interface Taken {
  readonly done: number[]
  readonly failed: { id: number; name?: string; errors: Problem[] }[]
}

export interface Held {
  readonly held: Readonly<Partial<Record<PermissionKey, boolean>>>
  readonly own: boolean
  /** The state that was left last, where that decides where an action leads. */
  readonly left?: string | null
}
export interface Row<S> extends Held {
  readonly id: number
  readonly version: number
  readonly state: S
  readonly name: string
  readonly there: boolean
}
export interface Refused {
  readonly name?: string
  readonly refusal: Refusal
}
export interface Outcome<S extends string, A extends string> {
  readonly moved: (Moved<S, A> & { readonly version: number })[]
  readonly refused: Map<number, Refused>
}

/** A workflow with its options, as each part of serving it takes it. */
export interface Given<S extends string, A extends string, Facts> {
  readonly flow: Workflow<string, S, A, Facts>
  readonly options: WorkflowOptions<S, A, Facts>
}
