/** The nationality whose people have an Egyptian national id. */
export const EGYPTIAN = 64

/** A mobile of the country, as it is dialled in it: 11 digits; with the dialling prefix of a country it is written as anywhere. */
const isMobile = (phone: string): boolean => /^01\d{9}$/.test(phone) || /^(?:\+|00)/.test(phone)

/** Whether a person of this nationality cannot have a telephone that is written so. */
export const isWrongPhone = (nationality_id: unknown, phone: string | null | undefined): boolean =>
  nationality_id === EGYPTIAN && Boolean(phone) && !isMobile(phone!)
