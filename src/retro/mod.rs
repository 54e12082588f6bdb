//! Owns: the values of a layer from finished lower layers.

pub mod naive;
