/** Refusals that no test gets, each with what stands in the way. The list only gets shorter: what gets a test goes. */
export const UNTESTED: Readonly<Record<string, string>> = {
  // Only where another process or a machine fails at one moment.
  sheet_busy: 'every worker that reads sheets is busy, and so many wait',
  file_too_much: 'a bank file that outgrows the memory or the time of its worker',
  roster_too_large: 'a bundle that outgrows the memory or the time of its worker',
  batch_changed_meanwhile: 'money of a batch is booked by others between holding and booking it',
  undo_failed: 'a row that goes back in no order',
  mail_not_taken: 'a server of mails that refuses the trial mail',
  payment_refused: 'a provider that says no to a charge it was asked for',
  provider_away: 'a provider of identities that does not answer',
  already_as_other: 'who acts for somebody is asked for the password before, and has none of that person',
  // Not written yet.
  block_not_offered: 'a course of a block that nobody gives in its term',
  exception_no_courses: 'an exception in a requirement all of whose courses are named',
  graduation_not_audited: 'a graduate who was taken over from another system, and lacks something',
  import_second_record_of_somebody: 'a sheet with the number of somebody out of reach',
  paper_change_stale: 'a barcode that was replaced while its change waits',
  plan_load: 'a warning of a plan whose bylaw has loads',
  provider_missing: 'a server without any provider of identities',
  refund_no_provider: 'a payment of a provider that is none any more',
  roster_left_clash: 'an offering that goes to a course which its students take by hand',
  seats_nobody: 'seats for an exam that nobody sits',
  sheet_formula_failed: 'a sheet of marks with a formula that failed',
  specialization_changed_more: 'more than twenty students who changed since a distribution',
}
