/**
 * What an area tells or asks, and areas further on hear: seats appeared in an offering, and registration, which offerings do not
 * know, wakes its queue. The area that speaks declares it; those that hear say so in their `defineAreaServer({ hears })`. A
 * program in which nobody hears does not start.
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
 * Declares what is told: everybody who hears does so one after the other, in the unit of work of who tells.
 *
 * @example export const seatsAppeared = tells<[ctx: Ctx, tx: Tx, offeringIds: readonly number[]]>('offering.seats_appeared')
 */
export const tells = <Args extends readonly unknown[]>(what: string): Spoken<Args, void> =>
  speaks(what, false, async (hearers, args) => {
    for (const hear of hearers) await hear(...args)
  })

/**
 * Declares what is asked: one area answers.
 *
 * @param alone what is answered in a part of the program (a test of few areas) in which nobody hears
 * @example export const degreeReasons = asks<[ctx: Ctx, id: number], Reason[]>('student.degree', () => [])
 */
export const asks = <Args extends readonly unknown[], Answer>(
  what: string,
  alone: Hears<Args, Answer>,
): Spoken<Args, Answer> => speaks(what, true, async ([hear = alone], args) => hear(...args))

/**
 * Says what is done about something that another area tells or asks.
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

/** What is told or asked and heard by nobody. */
export const unheard = (): string[] =>
  [...spoken].flatMap(([what, { hearers }]) => (hearers.length ? [] : [`nobody hears '${what}'`]))
