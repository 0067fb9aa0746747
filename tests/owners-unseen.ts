/** Doors that the test of owners does not see taken, by the reason: what is missing, and where it is tested instead. */
const REASONS: Readonly<Record<string, readonly string[]>> = {
  'A sheet, an archive or a whole record goes with it: tests of areas/records/students and areas/office/oneroster enter students':
    [
      'student_status studying "PUT /students"',
      'student_status studying "POST /students/import/save/{import_id}"',
      'student_status studying "POST /oneroster/import"',
      'student_status studying "POST /oneroster/import/{id}"',
    ],
  'A term whose result dismisses, or takes a dismissal back: areas/records/grading/terms/terms.test.ts and revised.http.test.ts':
    [
      'student_status studying "POST /control/students/finish"',
      'student_status studying "POST /control/students/unfinish"',
      'student_status studying "PUT /control/offerings/finish-control-status/{id}"',
      'student_status studying {"steps":"offering_control"}',
      'student_status dismissed "POST /control/students/finish"',
      'student_status dismissed "POST /control/students/unfinish"',
      'student_status dismissed {"steps":"offering_control"}',
      'registration Registered "PUT /control/offerings/finish-control-status/{id}"',
      'registration Registered "POST /control/students/finish"',
      'registration Dropped "POST /control/students/finish"',
      'registration ForcedWithdrawn "PUT /control/offerings/finish-control-status/{id}"',
      'registration ForcedWithdrawn "POST /control/students/finish"',
      'registration gone "POST /control/students/finish"',
      'student_status dismissed "PUT /control/offerings/finish-control-status/{id}"',
      'registration Dropped "PUT /control/offerings/finish-control-status/{id}"',
      'registration gone "PUT /control/offerings/finish-control-status/{id}"',
      'wait_list left "PUT /control/offerings/finish-control-status/{id}"',
      'wait_list left "POST /control/students/finish"',
    ],
  'The sheet is in the store of files, which is not here: areas/office/returns/returns.test.ts': [
    'statistical_return checked {"steps":"statistical_return"}',
  ],
  'Written by whoever has the key of an application: areas/admission/applicants/apply/apply.test.ts': [
    'applicant INCOMPLETE {"steps":"applicant"}',
    'applicant SUBMITTED {"steps":"applicant"}',
    'applicant UPDATED {"steps":"applicant"}',
  ],
  'After a fee is asked or paid: areas/admission/applicants/applicant/desk.test.ts and admission-payments/payments.test.ts':
    ['applicant EXAM_FEES_REQUIRED {"steps":"applicant"}', 'applicant APPROVED {"steps":"applicant"}'],
  'By whoever has proven an address, which nobody here has: areas/office/certificates/graduates/graduates.test.ts': [
    'graduate_request to_check {"steps":"graduate_request"}',
    'graduate_request identified {"steps":"graduate_request"}',
  ],
  'With a file of the own as proof, or of the paper: areas/office/certificates/names and areas/office/certificates/external':
    ['nameChange requested {"steps":"nameChange"}', 'externalPaper issuer asked {"steps":"externalPaper"}'],
  'By the last signature, or with papers that are kept as files: areas/office/certificates/certificates.test.ts': [
    'certificate dean-signed {"steps":"certificate"}',
    'certificate Ready To Deliver {"steps":"certificate"}',
  ],
  'A fee that is asked for, or one that bounced: areas/office/services/services.test.ts': [
    'service fee_due {"steps":"service"}',
  ],
  'Asked for, for days that are still to come: areas/campus/hotels/hotels.test.ts': [
    'hotel_reservation requested {"steps":"hotel_reservation"}',
  ],
  'Made by a job: areas/admission/distribution/runs/run.test.ts': ['distribution previewed {"steps":"distribution"}'],
  'Paid by the key of an application, which nobody else has: areas/admission/admission-payments/payments.test.ts': [
    'invoice unpaid "POST /admission/website/transaction/create"',
    'transaction new "POST /admission/website/transaction/create"',
    'transaction new "POST /admission/website/transaction/create/{id}"',
    'transaction pending "POST /admission/website/transaction/create"',
    'transaction pending "POST /admission/website/transaction/create/{id}"',
    'transaction failed "POST /admission/website/transaction/create"',
    'transaction failed "POST /admission/website/transaction/create/{id}"',
    'transaction expired "POST /admission/website/transaction/create"',
    'transaction expired "POST /admission/website/transaction/create/{id}"',
  ],
  'What sponsors take over, and give back: areas/money/sponsors/sponsors.test.ts': [
    'sponsorship offered "PUT /sponsorships"',
    'sponsorship offered "POST /sponsorships/add-many"',
    'sponsorship offered "POST /sponsorships/import/save/{import_id}"',
    'sponsorship active "POST /sponsorships/begin"',
    'sponsorship active "POST /sponsorships/add-many"',
    'sponsorship withdrawn "POST /sponsors/{id}/withdraw"',
    'sponsorship ended {"job":"end-sponsorships"}',
    'invoice unpaid "POST /sponsors/{id}/withdraw"',
    'invoice unpaid {"job":"sponsor-invoices"}',
    'invoice partially_paid "POST /sponsorships/begin"',
    'invoice partially_paid "POST /sponsorships/add-many"',
    'invoice partially_paid "POST /sponsors/{id}/withdraw"',
    'invoice partially_paid {"job":"sponsor-invoices"}',
    'invoice paid "POST /sponsorships/begin"',
    'invoice paid "POST /sponsorships/add-many"',
    'invoice paid "POST /sponsors/{id}/withdraw"',
    'invoice paid {"job":"sponsor-invoices"}',
    'transaction paid "POST /deposits/return"',
    'transaction paid "POST /sponsorships/begin"',
    'transaction paid "POST /sponsorships/add-many"',
    'transaction paid "POST /sponsors/{id}/withdraw"',
    'transaction paid {"job":"sponsor-invoices"}',
  ],
  'A recheck, where the year has a price for it: areas/records/grading/rechecks/fee.own.test.ts': [
    'invoice unpaid {"fees":"of requests"}',
    'invoice reversed {"fees":"of requests"}',
  ],
  'A second session whose courses have a price: areas/records/level-results/levels.own.test.ts': [
    'invoice unpaid "POST /control/levels/second-session"',
  ],
  'Prices of a year that change after its invoices were issued: areas/money/invoices/prices.test.ts': [
    'invoice unpaid "POST /outdated-decisions/renew"',
    'invoice partially_paid "POST /outdated-decisions/renew"',
    'invoice paid "POST /outdated-decisions/renew"',
  ],
  'Nobody of the demo university has a complete degree and still studies: areas/records/students/students.test.ts': [
    'student_status graduated "POST /students/status/{id}"',
  ],
  'An approved transfer that is taken back: areas/enrolment/transfers': [
    'student_status studying {"steps":"transfer_out"}',
  ],
  'Whoever has a transfer under way has no such course, or no place in a queue: areas/enrolment/transfers and areas/enrolment/registration/changes/leaving.test.ts':
    [
      'registration Dropped {"steps":"internal_transfer"}',
      'registration ForcedWithdrawn {"steps":"internal_transfer"}',
      'registration ForcedWithdrawn {"steps":"transfer_out"}',
      'registration gone {"steps":"internal_transfer"}',
      'registration gone {"steps":"transfer_out"}',
      'wait_list left {"steps":"internal_transfer"}',
      'wait_list left {"steps":"transfer_out"}',
    ],
  'A part of an invoice in a file of the bank, which not every day of the demo university has: areas/money/banks/batches':
    ['invoice partially_paid {"steps":"batch"}'],
  'Nobody of staff is asked for what he or she has not handed in: tests/every-workflow.test.ts': [
    'employeeDocument waived {"steps":"employeeDocument"}',
    'instructorDocument waived {"steps":"instructorDocument"}',
  ],
  'After the windows of registering: areas/enrolment/registration/changes/leaving.test.ts': [
    'registration ForcedWithdrawn "POST /students/status/{id}"',
  ],
  'Two students exchange seats: areas/enrolment/registration/swap/swap.test.ts': [
    'registration AddRequest "PUT /registrations/students/wait-list/answer/{id}"',
    'wait_list moved "PUT /registrations/students/wait-list"',
    'wait_list moved "PUT /registrations/students/wait-list/answer/{id}"',
    'wait_list left "PUT /registrations/students/wait-list"',
    'wait_list left "PUT /registrations/students/wait-list/answer/{id}"',
  ],
  'The job goes on until nobody can move, which nothing that is not kept brings about: areas/enrolment/registration/requests/wait-list.test.ts':
    ['wait_list moved {"job":"registration-wait-list"}'],
  'Whoever waits asks for a seat that became free meanwhile: areas/enrolment/registration/requests/wait-list.test.ts': [
    'wait_list left "PUT /registrations/students/addDrop-offering"',
    'wait_list left "PUT /registrations/students/accept-requested-offering"',
  ],
  'A level with a second session that is held: areas/records/level-results/levels.own.test.ts': [
    'registration Registered "POST /control/levels/second-session"',
  ],
  'The mark of an incomplete course arrives: areas/records/grading/grading.test.ts': [
    'registration Complete "PUT /control/students/update-term-grades/{registration}"',
  ],
  'The stamped paper goes with it as a file: areas/money/transactions/slips': [
    'transaction pending "POST /transactions/put"',
    'transaction pending "POST /transactions/put/{id}"',
    'slip uploaded {"steps":"slip"}',
  ],
  'A slip over less than what is open: areas/money/transactions/slips': ['invoice partially_paid {"steps":"slip"}'],
  'What the provider answers decides it: areas/money/transactions/providers': [
    'transaction pending "POST /payments/pay/{id}"',
    'transaction failed "POST /payments/pay/{id}"',
    'transaction expired "POST /payments/pay/{id}"',
    'transaction pending "POST /payments/refunds/{id}/pay_out"',
    'invoice partially_paid "POST /payments/refunds/unanswered/{id}"',
  ],
  'Another price asks for more of an invoice that was settled: areas/money/invoices/next': [
    'invoice unpaid {"job":"reprice-invoices"}',
    'invoice partially_paid {"job":"reprice-invoices"}',
  ],
  'What was paid by its day, or was not, decides it; it ends with its invoice: areas/money/collecting/promises': [
    'promise kept {"job":"promises"}',
    'promise broken {"job":"promises"}',
    'promise withdrawn "POST /payments/reverse-invoice/{id}"',
  ],
  'What a student asks, finance decides, and is paid or not: areas/money/collecting/plans': [
    'plan asked "PUT /payment-plans"',
    'plan withdrawn "POST /payment-plans/withdraw/{id}"',
    'plan kept {"job":"payment-plans"}',
    'plan broken {"job":"payment-plans"}',
    'plan ended "POST /payments/reverse-invoice/{id}"',
  ],
  'By its days, without a step': [
    'specialization_time planned {"steps":"specialization_time"}',
    'specialization_time open {"steps":"specialization_time"}',
    'specialization_time closed {"steps":"specialization_time"}',
    'slip expired {"steps":"slip"}',
  ],
  'A sheet of a bank goes with it: areas/money/banks/batches': [
    'batch reading {"steps":"batch"}',
    'batch columns {"steps":"batch"}',
    'batch failed {"steps":"batch"}',
    'batch previewed {"steps":"batch"}',
  ],
  'By the intern on the own phone, by who was on duty, or on a roster that stands: areas/practice/logbook/logbook.test.ts and roster/roster.test.ts':
    [
      'logbook_entry entered {"steps":"logbook_entry"}',
      'logbook_entry confirmed {"steps":"logbook_entry"}',
      'logbook_entry rejected {"steps":"logbook_entry"}',
      'duty_swap requested {"steps":"duty_swap"}',
      'duty_swap accepted {"steps":"duty_swap"}',
    ],
  'With what has to be there first (results, a committee, its reports, the decision of the council): areas/research/theses and areas/research/projects':
    [
      'thesis discussed {"steps":"thesis"}',
      'thesis granted {"steps":"thesis"}',
      'project finished {"steps":"project"}',
    ],
  'It begins so, or comes back by what the demo university has none of: the tests of its area': [
    'grade_recheck fee_due {"steps":"grade_recheck"}',
    'ticket open {"steps":"ticket"}',
    'internal_transfer added {"steps":"internal_transfer"}',
    'absence_case warned {"steps":"absence_case"}',
    'absence_case closed {"steps":"absence_case"}',
    'exam published {"steps":"exam"}',
    'exam draft {"steps":"exam"}',
  ],
}
export const UNSEEN: ReadonlyMap<string, string> = new Map(
  Object.entries(REASONS).flatMap(([reason, doors]) => doors.map((door) => [door, reason] as const)),
)
