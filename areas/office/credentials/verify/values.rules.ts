/** Small readings of values in a credential, which somebody else wrote: nothing about them is known beforehand. */

export type JsonObject = { readonly [key: string]: unknown }
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
/** One or several, as JSON-LD writes sets. */
export const listed = (value: unknown): readonly unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value]
export const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
export const typesOf = (value: unknown): readonly string[] =>
  isObject(value) ? listed(value.type).filter((one) => typeof one === 'string') : []

/** An absolute address: a scheme, then characters that may stand in an address. RFC 3986, with letters of other scripts as in RFC 3987. */
export function isUrl(value: unknown): value is string {
  // eslint-disable-next-line no-control-regex
  if (typeof value !== 'string' || !/^[A-Za-z][A-Za-z\d+.-]*:[^\s<>"{}|\\^`\u0000-\u0020]+$/.test(value)) return false
  if (/%(?![\dA-Fa-f]{2})/.test(value)) return false
  if (/^https?:/i.test(value))
    return /^https?:\/\/([^/?#@]*@)?(\[[\da-f:.]+\]|[^/?#@:[\]]+)(:\d{1,5})?([/?#]|$)/i.test(value)
  if (/^did:/i.test(value)) return /^did:[a-z\d]+:[^:].*/.test(value)
  if (/^urn:/i.test(value)) return /^urn:[A-Za-z\d][A-Za-z\d-]{0,31}:.+/.test(value)
  return true
}

const DATE_TIME = /^-?(\d{4,})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d+)?(Z|([+-])(\d\d):(\d\d))$/
/** Milliseconds of an XML Schema `dateTimeStamp`, which has a zone; null: it is none. */
export function instantOf(value: unknown): number | null {
  const found = typeof value === 'string' ? DATE_TIME.exec(value) : null
  if (!found || typeof value !== 'string') return null
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map(Number)
  if (month! < 1 || month! > 12 || day! < 1 || minute! > 59 || second! > 59 || year! > 9999) return null
  // The end of a day may be written as its 24th hour.
  if (hour! > 24 || (hour === 24 && (minute! > 0 || second! > 0 || Number(found[7] ?? 0) > 0))) return null
  const zone = found[8] === 'Z' ? 0 : (Number(found[10]) * 60 + Number(found[11])) * (found[9] === '-' ? -1 : 1)
  if (found[8] !== 'Z' && (Number(found[11]) > 59 || Math.abs(zone) > 14 * 60)) return null
  const at = new Date(0)
  at.setUTCFullYear(value.startsWith('-') ? -year! : year!, month! - 1, day)
  if (at.getUTCMonth() !== month! - 1 || at.getUTCDate() !== day!) return null
  at.setUTCHours(hour!, minute, second, Math.floor(Number(found[7] ?? 0) * 1000))
  return at.getTime() - zone * 60_000
}

/** A language tag, well formed by BCP 47. */
export const isLanguage = (value: unknown): boolean =>
  typeof value === 'string' && /^[A-Za-z]{2,8}(-[A-Za-z\d]{1,8})*$/.test(value)

/** A reason why a credential is refused: its code has words in the contract, the data stands in them. */
export interface CredentialReason {
  readonly code: CredentialCode
  readonly data: { readonly [key: string]: string }
}
export type CredentialCode = keyof typeof CREDENTIAL_REASONS
export const because = (code: CredentialCode, data: { readonly [key: string]: string } = {}): CredentialReason => ({
  code,
  data,
})

/** Why a credential is refused, and what could not be looked at. `at`: the place in the credential. */
export const CREDENTIAL_REASONS = {
  vc_unreadable: [
    'The file is neither a credential nor an image or token that carries one.',
    'الملف ليس اعتمادًا رقميًا ولا صورة أو رمزًا يحمل اعتمادًا.',
  ],
  vc_missing: ['{at} is missing.', '{at} غير موجود.'],
  vc_not_url: ['{at} is not an address (URL).', '{at} ليس عنوانًا صالحًا (URL).'],
  vc_not_date: ['{at} is not a date and time with a time zone.', '{at} ليس تاريخًا ووقتًا بمنطقة زمنية.'],
  vc_not_object: ['{at} is not an object, or is an empty one.', '{at} ليس كائنًا أو هو كائن فارغ.'],
  vc_not_language_value: ['{at} is neither a text nor a text with its language.', '{at} ليس نصًا ولا نصًا مقرونًا بلغته.'],
  vc_wrong_value: ['{at} has a value that is not allowed there.', '{at} يحمل قيمة غير مسموح بها.'],
  vc_wrong_type: ['{at} has to be of the type {type}.', 'يجب أن يكون نوع {at} هو {type}.'],
  vc_type_unknown: ['The type {type} is defined in none of the contexts.', 'النوع {type} غير معرف في أي من السياقات.'],
  vc_context_first: [
    'The first context is not the one of Verifiable Credentials.',
    'السياق الأول ليس سياق الاعتمادات القابلة للتحقق.',
  ],
  vc_context_unknown: [
    'The context {url} is not known here; what its terms mean is not guessed.',
    'السياق {url} غير معروف هنا، ولا تُخمن معاني مصطلحاته.',
  ],
  vc_term_redefined: ['A protected term is defined anew.', 'أُعيد تعريف مصطلح محمي.'],
  vc_term_undefined: ['{at} is defined in none of the contexts.', '{at} غير معرف في أي من السياقات.'],
  vc_json_ld: ['The contexts cannot be processed: {fault}.', 'تعذرت معالجة السياقات: {fault}.'],
  vc_period: ['The end of the validity lies before its beginning.', 'نهاية الصلاحية تسبق بدايتها.'],
  vc_not_yet: ['It is valid only from {at}.', 'تبدأ صلاحيته في {at}.'],
  vc_expired: ['It expired at {at}.', 'انتهت صلاحيته في {at}.'],
  vc_self_asserted: [
    'A credential without a proof in a presentation is from somebody else than the holder.',
    'يتضمن العرض اعتمادًا بلا إثبات صادرًا عن غير حامله.',
  ],
  vc_unsigned: ['Nobody has signed it.', 'لم يوقعه أحد.'],
  vc_proof_unknown: ['The kind of proof is not supported: {type}.', 'نوع الإثبات غير مدعوم: {type}.'],
  vc_proof_purpose: ['The proof was made for another purpose.', 'أُنشئ الإثبات لغرض آخر.'],
  vc_proof_expired: ['The proof itself has expired.', 'انتهت صلاحية الإثبات نفسه.'],
  vc_signature: [
    'The signature does not fit: something was changed, or somebody else signed.',
    'التوقيع غير مطابق: غُيّر شيء أو وقّع شخص آخر.',
  ],
  vc_key_scheme: ['The key {key} cannot be looked up.', 'لا يمكن البحث عن المفتاح {key}.'],
  vc_key_unreachable: ['The key {key} could not be read.', 'تعذرت قراءة المفتاح {key}.'],
  vc_key_not_issuer: [
    'The key {key} is not one of the issuer {issuer}.',
    'المفتاح {key} ليس من مفاتيح المُصدر {issuer}.',
  ],
  vc_token: [
    'The token cannot be read, or is written in an unusual way.',
    'تعذرت قراءة الرمز أو كُتب بصورة غير معتادة.',
  ],
  vc_algorithm: ['The signature algorithm {alg} is not accepted.', 'خوارزمية التوقيع {alg} غير مقبولة.'],
  vc_claim: [
    'The claim {claim} of the token does not agree with the credential.',
    'البيان {claim} في الرمز لا يتفق مع الاعتماد.',
  ],
  vc_revoked: ['The issuer has revoked it.', 'ألغاه المُصدر.'],
  vc_suspended: ['The issuer has suspended it.', 'علّقه المُصدر.'],
  vc_status_unreachable: ['Whether it was revoked could not be looked up at {url}.', 'تعذر التحقق من إلغائه في {url}.'],
  vc_status_unknown: [
    'Whether it was revoked is told in a way that is not supported: {type}.',
    'طريقة الإعلان عن إلغائه غير مدعومة: {type}.',
  ],
} as const satisfies Record<string, readonly [string, string]>

/** What could not be looked at, without making it wrong. */
export const CREDENTIAL_NOTES = {
  vc_note_unsigned: ['It has no proof: only its form was judged.', 'لا يحمل إثباتًا: رُوجعت صورته فقط.'],
  vc_note_issuer_document: [
    'The document of {issuer} was not read: that the key is one of the issuer is not known.',
    'لم تُقرأ وثيقة {issuer}: لا يُعرف أن المفتاح للمُصدر.',
  ],
  vc_note_issuer_nobody: [
    'The issuer {issuer} is a number that nobody can be asked about: only who holds the key signed.',
    'المُصدر {issuer} رقم لا يمكن الاستعلام عنه: الموقّع هو حامل المفتاح فقط.',
  ],
  vc_note_key_inside: [
    'The key is in the token itself: whose it is was not looked up.',
    'المفتاح داخل الرمز نفسه: لم يُبحث عن صاحبه.',
  ],
  vc_note_endorsement: ['Endorsements inside were not verified.', 'لم يُتحقق من التزكيات المضمنة.'],
  vc_note_certificate: [
    'It is signed with the certificate of {subject}; nobody looked whether that is the university.',
    'موقّع بشهادة {subject}، ولم يُتحقق من أنها للجامعة.',
  ],
  vc_note_schema: ['The schema {url} was not read.', 'لم يُقرأ المخطط {url}.'],
  vc_note_envelope: [
    'The key of an enveloped credential could not be read: only its form was judged.',
    'تعذرت قراءة مفتاح اعتماد مغلف: رُوجعت صورته فقط.',
  ],
  vc_note_proof: ['A further proof of the kind {type} was not looked at.', 'لم يُراجع إثبات آخر من النوع {type}.'],
} as const satisfies Record<string, readonly [string, string]>
export interface CredentialNote {
  readonly code: keyof typeof CREDENTIAL_NOTES
  readonly data: { readonly [key: string]: string }
}
