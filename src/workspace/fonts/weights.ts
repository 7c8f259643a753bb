/** What people call weights. */
const words: Record<number, string> = {
  100: 'Thin',
  200: 'Extra light',
  300: 'Light',
  400: 'Regular',
  500: 'Medium',
  600: 'Semibold',
  700: 'Bold',
  800: 'Extra bold',
  900: 'Black',
}

/** Those that have a name; the API takes others. */
export const weights = Object.keys(words).map(Number)

/** Those that a page has most of, in the order in which they are asked for. */
export const usualWeights = [400, 700, 500, 600, 300]

export const weightName = (weight: number): string =>
  words[weight] === undefined ? String(weight) : `${words[weight]} (${weight})`
