"""Tables for people: in the browser, in the terminal, and on hanab.live."""
