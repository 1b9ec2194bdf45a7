/** Leaves what it styles to screen readers, where a place has no room for it. Chakra's `srOnly` does so everywhere. */
export const visuallyHidden = {
  position: 'absolute',
  width: '1px',
  height: '1px',
  overflow: 'hidden',
  clipPath: 'inset(50%)',
};
