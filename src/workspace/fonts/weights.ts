/** The common names of weights. */
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

/** The weights that have a name. The API accepts others as well. */
export const weights = Object.keys(words).map(Number)

/** The most common weights of a page, in the order of the form. */
export const usualWeights = [400, 700, 500, 600, 300]

export const weightName = (weight: number): string =>
  words[weight] === undefined ? String(weight) : `${words[weight]} (${weight})`
