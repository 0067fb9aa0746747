/** Words of specifications, as national templates have them. */

/** What a specification is of, as its address says it. */
export const SPECIFICATION_TYPES = ['courses-specs', 'programs-specs'] as const
export type SpecificationType = (typeof SPECIFICATION_TYPES)[number]

/** Levels of the revised taxonomy of Bloom. */
export const OUTCOME_LEVELS = [
  { value: 1, label: ['Remembering', 'التذكر'] },
  { value: 2, label: ['Understanding', 'الفهم'] },
  { value: 3, label: ['Applying', 'التطبيق'] },
  { value: 4, label: ['Analysing', 'التحليل'] },
  { value: 5, label: ['Evaluating', 'التقويم'] },
  { value: 6, label: ['Creating', 'الإبداع'] },
] as const

/** Kinds of works that a course refers to. */
export const REFERENCE_KINDS = [
  { value: 'textbook', label: ['Textbook', 'كتاب مقرر'] },
  { value: 'further', label: ['Further reading', 'مرجع إضافي'] },
  { value: 'web', label: ['Website', 'موقع إلكتروني'] },
] as const

/** Verbs by which an outcome of a level can be observed. */
export const OUTCOME_VERBS: Readonly<Record<(typeof OUTCOME_LEVELS)[number]['value'], readonly string[]>> = {
  1: ['define', 'list', 'name', 'recall', 'state'],
  2: ['classify', 'describe', 'explain', 'interpret', 'summarise'],
  3: ['apply', 'calculate', 'demonstrate', 'solve', 'use'],
  4: ['analyse', 'compare', 'differentiate', 'examine', 'test'],
  5: ['assess', 'evaluate', 'judge', 'justify', 'recommend'],
  6: ['construct', 'create', 'design', 'develop', 'plan'],
}
