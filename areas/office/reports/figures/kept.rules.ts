/** Figures that took so long are kept; how long they serve. A test may wait less. */
export const FIGURES_KEPT = {
  /** Milliseconds from which on they are kept. */
  after: 700,
  /** Milliseconds after which nobody is left waiting: a job goes on. */
  patience: 8_000,
  /** Seconds for which they are as good as read now; older ones are worked out again behind the answer. */
  young: 15 * 60,
  /** Seconds after which they serve nobody. */
  longest: 26 * 3600,
  /** Days for which they are worked out again each night after somebody asked. */
  asked: 7,
}
/** How many rows behind a figure go into one sheet, and for how many days it is kept. */
export const ROWS_SHEET = { most: 1_048_575, days: 3 }
export const FIGURES_JOB = 'work-out-figures'
/** What stands for a link where the report is one that somebody put together. */
export const OWN_REPORT = 'own'
