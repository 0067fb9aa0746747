/**
 * Arabic-Indic (٠-٩) and Persian (۰-۹) digits as Latin digits, the Arabic decimal separator as a point, the Arabic
 * thousands separator left out. Everything else stays.
 */
export function latinDigits(text: string): string {
  return text
    .replace(/[\u0660-\u0669\u06F0-\u06F9]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replaceAll('\u066B', '.')
    .replaceAll('\u066C', '')
}
