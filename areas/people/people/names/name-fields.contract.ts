import { f } from '#kit/contract/field.ts'

const part = { person: true, max: 80 } as const

/** The parts of a name in Latin letters, by their columns. */
export const LATIN_PARTS = {
  given_name: f.englishText(['Given name', 'الاسم الأول (باللاتينية)'], part),
  father_name: f.englishText(["Father's name", 'اسم الأب (باللاتينية)'], part),
  grandfather_name: f.englishText(["Grandfather's name", 'اسم الجد (باللاتينية)'], part),
  family_name: f.englishText(['Family name', 'اسم العائلة (باللاتينية)'], part),
}
/** The same in Arabic. */
export const ARABIC_PARTS = {
  given_name_local: f.localText(['Given name (Arabic)', 'الاسم الأول'], part),
  father_name_local: f.localText(["Father's name (Arabic)", 'اسم الأب'], part),
  grandfather_name_local: f.localText(["Grandfather's name (Arabic)", 'اسم الجد'], part),
  family_name_local: f.localText(['Family name (Arabic)', 'اسم العائلة'], part),
}
/** By which name people call somebody. */
export const USED_NAMES = {
  used_name: f.englishText(['Used name', 'اسم الشهرة (باللاتينية)'], part),
  used_name_local: f.localText(['Used name (Arabic)', 'اسم الشهرة'], part),
}

/** Names in parts, beside the whole name in the sheets of people. */
export const NAMES_IN_SHEETS = {
  after: 'name_local',
  fields: { ...LATIN_PARTS, ...ARABIC_PARTS, ...USED_NAMES },
} as const
