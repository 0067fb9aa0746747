/** Digits a person types in Arabic (٠-٩) or Persian (۰-۹) form, and the Arabic decimal (٫) and thousands (٬) marks, as Latin ones. */
export const latinDigits = (text: string): string =>
  text
    .replace(/[٠-٩]/g, (d) => String(d.charCodeAt(0) - 0x0660))
    .replace(/[۰-۹]/g, (d) => String(d.charCodeAt(0) - 0x06f0))
    .replaceAll('٫', '.')
    .replaceAll('٬', '')
    .replace(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '')

/**
 * A number as typed or pasted, as plain decimal text (`-12.5`), or null when it is none. Accepts Arabic digits, a comma
 * as decimal mark (`12,5`) and grouped thousands (`1,250.50`, `1.250,50`, `1 250`).
 */
export function decimalText(typed: string): string | null {
  let s = latinDigits(typed)
    .trim()
    .replace(/[\s\u00A0\u202F'’]/g, '')
    .replaceAll('،', ',')
    .replace(/^\u2212/, '-')
  const comma = s.lastIndexOf(',')
  const point = s.lastIndexOf('.')
  if (comma >= 0 && point >= 0) {
    const [mark, group] = comma > point ? [',', '.'] : ['.', ',']
    s = s.replaceAll(group, '').replace(mark, '.')
  } else if (comma >= 0) {
    s = /^-?[1-9]\d{0,2}(,\d{3}){2,}$/.test(s) ? s.replaceAll(',', '') : s.replace(',', '.')
  }
  if (!/^-?(\d+\.?\d*|\.\d+)$/.test(s)) return null
  const negative = s.startsWith('-')
  const [whole = '', part = ''] = (negative ? s.slice(1) : s).split('.')
  const plain = `${whole.replace(/^0+(?=\d)/, '') || '0'}${part && `.${part}`}`
  return negative && Number(plain) !== 0 ? `-${plain}` : plain
}

/** Minor units (piastres, cents) of an amount as typed; null when it is not an amount with at most two decimals. */
export function minorUnits(typed: string): number | null {
  const plain = decimalText(typed)
  if (plain === null || !/^-?\d{1,13}(\.\d{0,2})?$/.test(plain)) return null
  const negative = plain.startsWith('-')
  const [whole = '0', part = ''] = plain.replace('-', '').split('.')
  const units = Number(whole) * 100 + Number(part.padEnd(2, '0'))
  return negative ? -units : units
}

/** Minor units as plain decimal text: 125050 -> `1250.50`. */
export const majorText = (units: number): string => {
  const abs = Math.abs(units)
  return `${units < 0 ? '-' : ''}${Math.trunc(abs / 100)}.${String(abs % 100).padStart(2, '0')}`
}
