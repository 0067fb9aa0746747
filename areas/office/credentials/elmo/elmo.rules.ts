import type { PaperCourse, PaperFacts } from '../issue/credential.rules.ts'

export const ELMO_NAMESPACE = 'https://github.com/emrex-eu/elmo-schemas/tree/v1'

/** Text as it stands in canonical XML (Exclusive XML Canonicalization 1.0); characters that XML 1.0 does not know are left out. */
const escaped = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
const element = (name: string, content: string, attributes = ''): string =>
  `<${name}${attributes && ` ${attributes}`}>${content}</${name}>`
const token = (name: string, text: string, attributes = ''): string =>
  element(name, escaped(text.trim().replaceAll(/\s+/g, ' ')), attributes)
/** A text in both languages. */
const titled = (
  one: { readonly name?: string | null; readonly name_local?: string | null },
  otherwise = '–',
): string => {
  const english = one.name || one.name_local || otherwise
  return (
    token('title', english, 'xml:lang="en"') +
    (one.name_local && one.name_local !== english ? token('title', one.name_local, 'xml:lang="ar"') : '')
  )
}

/**
 * A transcript as ELMO 1.x before it is signed. From its root on the text is canonical: it is signed as it stands.
 *
 * @param made when it is made, ISO
 */
export function elmoOf(
  paper: PaperFacts,
  {
    issuer,
    address,
    made,
  }: {
    issuer: { readonly id: string; readonly name: string; readonly name_local: string }
    address: string
    made: string
  },
): string {
  // ELMO keeps names apart, papers do not: the last word is taken for the family's.
  const words = paper.holder.name.trim().split(/\s+/)
  const family = words.length > 1 ? words.pop()! : words[0]!
  const program = paper.facts.find(({ label }) => label === 'Program')
  const courses = paper.courses.map((course) => courseElement(course, paper))
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n` +
    element(
      'elmo',
      element('generatedDate', made) +
        element('learner', token('givenNames', words.join(' ')) + token('familyName', family)) +
        element(
          'report',
          element('issuer', token('identifier', issuer.id, 'type="did"') + titled(issuer) + token('url', address)) +
            (program
              ? element(
                  'learningOpportunitySpecification',
                  token('identifier', paper.serial, 'type="local"') +
                    titled({ name: program.value, name_local: program.value_local }) +
                    element('type', 'Degree Programme') +
                    element('specifies', element('learningOpportunityInstance', '')) +
                    courses.map((one) => element('hasPart', one)).join(''),
                )
              : courses.join('')) +
            element('issueDate', new Date(paper.issued_at).toISOString()),
        ),
      `xmlns="${ELMO_NAMESPACE}"`,
    )
  )
}

function courseElement(course: PaperCourse, { terms }: PaperFacts): string {
  const term = course.term === undefined ? undefined : terms[course.term]
  const grade = course.letter ?? (course.mark ? `${course.mark}${course.maximum ? ` / ${course.maximum}` : ''}` : null)
  const status = course.passed === true ? 'passed' : course.passed === false ? 'failed' : null
  return element(
    'learningOpportunitySpecification',
    (course.code ? token('identifier', course.code, 'type="local"') : '') +
      titled(course, course.code ?? '–') +
      element('type', 'Course') +
      element(
        'specifies',
        element(
          'learningOpportunityInstance',
          (term ? element('date', term.end) : '') +
            (status ? element('status', status) : '') +
            (grade ? token('resultLabel', grade) : '') +
            element('credit', element('scheme', 'credit hours') + element('value', String(course.hours))),
        ),
      ),
  )
}
