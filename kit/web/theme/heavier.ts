/** The heavier weights of the letters, which come once the first screen stands. */
import arabic500 from '@fontsource/ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-arabic-500-normal.woff2'
import arabic600 from '@fontsource/ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-arabic-600-normal.woff2'
import latin500 from '@fontsource/ibm-plex-sans/files/ibm-plex-sans-latin-500-normal.woff2'
import latin600 from '@fontsource/ibm-plex-sans/files/ibm-plex-sans-latin-600-normal.woff2'

const FILES = { 'IBM Plex Sans': [latin500, latin600], 'IBM Plex Sans Arabic': [arabic500, arabic600] }
const WEIGHTS = ['500', '600']

/** The weight that `theme.css` names. Browsers give its name with or without quotation marks. */
const regularOf = (family: string): FontFace | undefined =>
  [...document.fonts].find((face) => face.family.replace(/["']/g, '') === family && face.weight === '400')

async function addHeavier(family: string, files: readonly string[]): Promise<void> {
  const regular = regularOf(family)
  if (!regular) return
  // Arabic in a screen of another language: when its first letter is shown, if one ever is.
  if (family.endsWith('Arabic') && document.documentElement.lang !== 'ar') await regular.loaded
  const faces = files.map(
    (file, i) => new FontFace(family, `url(${file})`, { weight: WEIGHTS[i]!, unicodeRange: regular.unicodeRange }),
  )
  await Promise.all(faces.map((face) => face.load()))
  for (const face of faces) document.fonts.add(face)
}

/**
 * Fetches the heavier weights, and gives them to the page when they are there. Named in a stylesheet they would be the page's
 * before they are: until they come, what is heavier would be shown in the letters of the system, which are of another width, and
 * lines break anew twice.
 */
export async function fetchHeavier(): Promise<void> {
  await Promise.all(
    Object.entries(FILES).map(([family, files]) =>
      addHeavier(family, files).catch(() => {
        // They are drawn from the regular weight.
      }),
    ),
  )
}
