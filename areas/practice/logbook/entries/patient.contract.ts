import type { ErrorTexts } from '#kit/contract/errors.ts'
import type { Reason } from '#kit/contract/issues.ts'
import type { Problem } from '#kit/contract/schema.ts'

/** What is said of data by which a patient could be known: by the server, and by the phone without one. */
export const patientTexts: ErrorTexts = {
  logbook_patient_name: [
    'This looks like the name of a patient: “{found}”. Take it out; “man, 45” says enough.',
    'يبدو أنه اسم مريض: «{found}». احذفه، ويكفي مثلًا «رجل، 45 سنة».',
  ],
  logbook_national_id: [
    'This looks like the number of a person: “{found}”. Take it out.',
    'يبدو أنه رقم قومي أو رقم هوية: «{found}». احذفه.',
  ],
  logbook_phone: ['This looks like a phone number: “{found}”. Take it out.', 'يبدو أنه رقم هاتف: «{found}». احذفه.'],
  logbook_email: ['This is an e-mail address: “{found}”. Take it out.', 'هذا بريد إلكتروني: «{found}». احذفه.'],
  logbook_birth: [
    'This is a date of birth: “{found}”. Say the age instead.',
    'هذا تاريخ ميلاد: «{found}». اذكر العمر بدلًا منه.',
  ],
  logbook_file_number: [
    'This is the number of a file: “{found}”. Take it out.',
    'هذا رقم ملف أو تذكرة: «{found}». احذفه.',
  ],
}
/** Such a reason as the server would answer it. */
export function patientProblem({ code, data }: Reason): Problem {
  const [en, ar] = (patientTexts[code] ?? [code, code]).map((text) =>
    text.replace('{found}', String(data?.found ?? '')),
  )
  return { field: 'note', code, en: en ?? '', ar: ar ?? '', ...(data && { data }) }
}
