/** Which questions of the form are asked of whom, and by which list they are answered. */

/** By which list a lookup is answered. */
export const APPLICANT_LIST_OF: Readonly<Record<string, string>> = {
  country: 'countries',
  community: 'communities',
  certificateType: 'certificates',
  faculty: 'faculties',
}
const EGYPT = 64

/** Fields that are asked only where they mean something; rows (marks, degrees, wishes) have their own parts. */
export function isApplicantAsked(name: string, values: Readonly<Record<string, unknown>>): boolean {
  if (name === 'national_id') return values.nationality_id === EGYPT
  if (name === 'passport_number') return values.nationality_id != null && values.nationality_id !== EGYPT
  if (name === 'military_status') return values.gender === 1
  if (name === 'english_score' || name === 'english_date')
    return values.english_exam != null && values.english_exam !== 'none'
  if (name === 'scholarship_reason') return values.wants_scholarship === true
  if (['financial_aid_reason', 'family_income', 'family_members'].includes(name))
    return values.wants_financial_aid === true
  return !['subjects', 'preferences', 'degrees'].includes(name)
}
