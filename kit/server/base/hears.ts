/**
 * A listener of one area for an event or question of an earlier one. For example, offerings tell that seats appeared,
 * and registration, which offerings do not know, wakes its queue. The telling area declares it; listeners are listed
 * in `defineAreaServer({ hears })`. A program in which nobody listens does not start.
 */
export interface Hearing {
  /** Name of what is heard. */
  readonly what: string
  /** Makes what is heard reach the hearer. */
  readonly open: () => void
}

type Hears<Args extends readonly unknown[], Answer> = (...args: Args) => Answer | Promise<Answer>
export interface Spoken<Args extends readonly unknown[], Answer> {
  (...args: Args): Promise<Answer>
  /** `record.what`, unique among all areas. */
  readonly what: string
  readonly hearers: Hears<Args, Answer>[]
  /** Only one hears: it answers. */
  readonly one: boolean
}

const spoken = new Map<string, { readonly hearers: readonly unknown[] }>()
function speaks<Args extends readonly unknown[], Answer>(
  what: string,
  one: boolean,
  say: (hearers: readonly Hears<Args, Answer>[], args: Args) => Promise<Answer>,
): Spoken<Args, Answer> {
  if (spoken.has(what)) throw new Error(`Two areas say '${what}'`)
  const hearers: Hears<Args, Answer>[] = []
  const speaking = Object.assign((...args: Args) => say(hearers, args), { what, hearers, one })
  spoken.set(what, speaking)
  return speaking
}

/**
 * Declares an event: every listener runs, one after the other, in the caller's unit of work.
 *
 * @example export const seatsAppeared = tells<[ctx: Ctx, tx: Tx, offeringIds: readonly number[]]>('offering.seats_appeared')
 */
export const tells = <Args extends readonly unknown[]>(what: string): Spoken<Args, void> =>
  speaks(what, false, async (hearers, args) => {
    for (const hear of hearers) await hear(...args)
  })

/**
 * Declares a question that one area answers.
 *
 * @param alone the answer in a part of the program (a test of few areas) without that area
 * @example export const degreeReasons = asks<[ctx: Ctx, id: number], Reason[]>('student.degree', () => [])
 */
export const asks = <Args extends readonly unknown[], Answer>(
  what: string,
  alone: Hears<Args, Answer>,
): Spoken<Args, Answer> => speaks(what, true, async ([hear = alone], args) => hear(...args))

/**
 * Listens to another area's event, or answers its question.
 *
 * @example hears: [hear(seatsAppeared, wakeWaitList)]
 */
export const hear = <Args extends readonly unknown[], Answer>(
  of: Spoken<Args, Answer>,
  by: NoInfer<Hears<Args, Answer>>,
): Hearing => ({
  what: of.what,
  open: () => {
    if (of.hearers.includes(by)) return
    if (of.one && of.hearers.length) throw new Error(`Two areas answer '${of.what}'`)
    of.hearers.push(by)
  },
})

/** Declared events and questions without a listener. */
export const unheard = (): string[] =>
  [...spoken].flatMap(([what, { hearers }]) => (hearers.length ? [] : [`nobody hears '${what}'`]))
