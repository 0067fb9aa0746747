/** What a notice or mail says: its subject, and its text by plural forms (`text` where there is but one). */
export interface NoticeText {
  readonly subject: string
  readonly forms: Readonly<Record<string, string>>
}
/** What may be said in it. */
export interface NoticeShape {
  /** Places that are filled. */
  readonly places: readonly string[]
  /** Those without which it is of no use. */
  readonly required: readonly string[]
  /** A mail of several lines; a notice is one. */
  readonly lines: boolean
}
export interface TextReason {
  readonly field: string
  readonly code: string
  readonly data?: Readonly<Record<string, string>>
}

const PLACE = /\{(\w+)\}/g
/** Places that a text names. */
export const placesIn = (text: string): string[] => [...text.matchAll(PLACE)].map((match) => match[1]!)

/** Why a text cannot be said: every reason, each at its field (`subject`, `forms.other`). None: it can. */
export function checkNoticeText(
  shipped: NoticeText,
  { places, required, lines }: NoticeShape,
  given: NoticeText,
): TextReason[] {
  const fields = [
    ['subject', given.subject],
    ...Object.entries(given.forms).map(([form, text]) => [`forms.${form}`, text]),
  ]
  const forms = Object.keys(shipped.forms)
  const reasons: TextReason[] = fields.flatMap(([field = '', text = '']) => [
    ...(text.trim() === '' ? [{ field, code: 'required' }] : []),
    ...placesIn(text)
      .filter((place) => !places.includes(place))
      .map((place) => ({
        field,
        code: 'text_place_unknown',
        data: { place: `{${place}}`, places: places.map((one) => `{${one}}`).join(' ') },
      })),
    ...(/[{}]/.test(text.replace(PLACE, '')) ? [{ field, code: 'text_brace' }] : []),
    ...((field === 'subject' || !lines) && /[\r\n]/.test(text) ? [{ field, code: 'text_one_line' }] : []),
  ])
  for (const form of forms) if (!(form in given.forms)) reasons.push({ field: `forms.${form}`, code: 'required' })
  for (const form of Object.keys(given.forms))
    if (!forms.includes(form)) reasons.push({ field: `forms.${form}`, code: 'not_a_choice' })
  const said = Object.values(given.forms).flatMap(placesIn)
  for (const place of required)
    if (!said.includes(place))
      reasons.push({ field: `forms.${forms[0]}`, code: 'text_place_missing', data: { place: `{${place}}` } })
  return reasons
}
