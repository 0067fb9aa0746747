/**
 * A place on a screen of one area that a later area fills. For example, the requirements tab on a bylaw's page comes
 * from the degree audit, which knows bylaws, while bylaws do not know it.
 *
 * The area with the place declares it; one other area lists it in `fills` and shows something there.
 */
export interface Outlet<Props = object> {
  /** `record.what`, unique among all areas. */
  readonly name: string
  /** What stands there is given this. Only a type. */
  readonly props?: Props
}

/**
 * Declares a place that another area fills.
 *
 * @example export const requirementsOfProgram = outlet<{ row: { id: number } }>('program.requirements')
 */
export const outlet = <Props extends object>(name: string): Outlet<Props> => ({ name })
